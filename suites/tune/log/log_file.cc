#include "suites/tune/log/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iterator>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "reports/result/json_reader.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// Opens the log for appending. Creates it if it does not exist.
int OpenLog(const std::string& path) {
  return open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

// Returns true if the file of `bytes` bytes does not end with a line break.
bool EndsWithinLine(int fd, int64_t bytes) {
  char last = '\n';
  return bytes > 0 && pread(fd, &last, 1, bytes - 1) == 1 && last != '\n';
}

}  // namespace

absl::StatusOr<LogFile> LogFile::Open(const std::string& path) {
  const int fd = OpenLog(path);
  if (fd < 0) return ErrnoError("open", path);
  close(fd);
  return LogFile(path);
}

absl::Status LogFile::AppendLine(std::string line) const {
  const int fd = OpenLog(path_);
  if (fd < 0) return ErrnoError("open", path_);
  const absl::Cleanup close_file = [fd] { close(fd); };  // and unlock it
  while (flock(fd, LOCK_EX) != 0) {
    if (errno != EINTR) return ErrnoError("lock", path_);
  }
  struct stat info = {};
  if (fstat(fd, &info) != 0) return ErrnoError("read", path_);
  const int64_t before = info.st_size;
  if (EndsWithinLine(fd, before)) line.insert(0, "\n");
  line += '\n';
  absl::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t n = write(fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const absl::Status status = ErrnoError("write", path_);
      // A part of a line would be reported as damaged.
      if (ftruncate(fd, before) != 0) return ErrnoError("truncate", path_);
      return status;
    }
    rest.remove_prefix(static_cast<size_t>(n));
  }
  if (fdatasync(fd) != 0) return ErrnoError("sync", path_);
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

Log RecordsAt(const Log& log, const TuningPlace& place) {
  Log there;
  there.path = log.path;
  there.damaged = log.damaged;
  const auto is_there = [&](const auto& record) {
    return PlaceOf(record) == place;
  };
  absl::c_copy_if(log.records, std::back_inserter(there.records), is_there);
  absl::c_copy_if(log.networks, std::back_inserter(there.networks), is_there);
  return there;
}

absl::StatusOr<MergedLog> MergeLogs(const std::vector<std::string>& paths) {
  MergedLog merged;
  absl::flat_hash_set<std::string> known;
  for (const std::string& path : paths) {
    ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
    int64_t number = 0;
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      ++number;
      if (line.empty()) continue;
      if (!reports::Json::accept(line.begin(), line.end())) {
        merged.damaged.push_back(absl::StrCat(path, ":", number));
      } else if (!known.insert(std::string(line)).second) {
        ++merged.duplicates;
      } else {
        ++merged.lines;
        absl::StrAppend(&merged.text, line, "\n");
      }
    }
  }
  return merged;
}

}  // namespace assay::suites
