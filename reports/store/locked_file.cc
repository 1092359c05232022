#include "reports/store/locked_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "runtime/base/file.h"

namespace assay::reports {
namespace {

bool Lock(int fd, int operation) {
  while (flock(fd, operation) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

bool IsDeleted(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && info.st_nlink == 0;
}

}  // namespace

absl::StatusOr<LockedFile> LockedFile::Create(const std::string& path) {
  while (true) {
    const int fd = open(
        path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return ErrnoError("create", path);
    LockedFile file(fd, path);
    if (!Lock(fd, LOCK_EX)) return ErrnoError("lock", path);
    // Another process may have locked the file first, and deleted it.
    if (!IsDeleted(fd)) return file;
  }
}

absl::StatusOr<LockedFile> LockedFile::Open(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ErrnoError("open", path);
  LockedFile file(fd, path);
  if (!Lock(fd, LOCK_EX | LOCK_NB)) {
    if (errno == EWOULDBLOCK) {
      return absl::UnavailableError(
          absl::StrCat("`", path, "` is in use by another process"));
    }
    return ErrnoError("lock", path);
  }
  return file;
}

LockedFile::LockedFile(LockedFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

LockedFile& LockedFile::operator=(LockedFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

LockedFile::~LockedFile() {
  if (fd_ >= 0) close(fd_);
}

absl::Status LockedFile::Append(absl::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd_, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ErrnoError("write", path_);
    text.remove_prefix(static_cast<size_t>(n));
  }
  if (fdatasync(fd_) != 0) return ErrnoError("sync", path_);
  return absl::OkStatus();
}

}  // namespace assay::reports
