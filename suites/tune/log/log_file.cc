#include "suites/tune/log/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

bool Lock(int fd, int operation) {
  while (flock(fd, operation) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

// Returns true if the file of `bytes` bytes does not end with a line break.
bool EndsWithinLine(int fd, int64_t bytes) {
  char last = '\n';
  return bytes > 0 && pread(fd, &last, 1, bytes - 1) == 1 && last != '\n';
}

}  // namespace

LogFile::LogFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

absl::StatusOr<LogFile> LogFile::Open(const std::string& path) {
  const int fd =
      open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return ErrnoError("open", path);
  return LogFile(fd, path);
}

LogFile::LogFile(LogFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

LogFile& LogFile::operator=(LogFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

LogFile::~LogFile() {
  if (fd_ >= 0) close(fd_);
}

absl::Status LogFile::Append(const TuningRecord& record) {
  return AppendLine(record.ToJson());
}

absl::Status LogFile::Append(const NetworkRecord& record) {
  return AppendLine(record.ToJson());
}

absl::Status LogFile::AppendLine(std::string line) {
  if (!Lock(fd_, LOCK_EX)) return ErrnoError("lock", path_);
  const absl::Status status = AppendLocked(std::move(line));
  Lock(fd_, LOCK_UN);
  return status;
}

absl::Status LogFile::AppendLocked(std::string line) {
  struct stat info = {};
  if (fstat(fd_, &info) != 0) return ErrnoError("read", path_);
  const int64_t before = info.st_size;
  if (EndsWithinLine(fd_, before)) line.insert(0, "\n");
  line += '\n';
  absl::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t n = write(fd_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const absl::Status status = ErrnoError("write", path_);
      // A part of a line would be reported as damaged.
      if (ftruncate(fd_, before) != 0) return ErrnoError("truncate", path_);
      return status;
    }
    rest.remove_prefix(static_cast<size_t>(n));
  }
  if (fdatasync(fd_) != 0) return ErrnoError("sync", path_);
  return absl::OkStatus();
}

absl::StatusOr<Log> ReadLog(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  Log log;
  log.path = path;
  int64_t number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    absl::StatusOr<TuningRecord> record = TuningRecord::FromJson(line);
    if (record.ok()) {
      log.records.push_back(*std::move(record));
      log.lines.push_back(number);
      continue;
    }
    absl::StatusOr<NetworkRecord> network = NetworkRecord::FromJson(line);
    if (network.ok()) {
      log.networks.push_back(*std::move(network));
      log.network_lines.push_back(number);
      continue;
    }
    const absl::Status& why =
        absl::IsNotFound(network.status()) ? record.status() : network.status();
    log.damaged.push_back({number, std::string(why.message())});
  }
  return log;
}

}  // namespace assay::suites
