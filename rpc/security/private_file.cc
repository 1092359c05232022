#include "rpc/security/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

bool WriteAll(int fd, absl::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = write(fd, contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    contents.remove_prefix(static_cast<size_t>(written));
  }
  return fsync(fd) == 0;
}

// Writes a temporary file and gives it the name `path`.
absl::Status WriteFile(const std::string& path, absl::string_view contents,
                       bool replace) {
  // mkostemp creates the file with the mode 0600.
  std::string temporary = absl::StrCat(path, ".tmp.XXXXXX");
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return ErrnoError("create a file beside", path);
  absl::Status status;
  if (!WriteAll(fd, contents)) status = ErrnoError("write", path);
  close(fd);
  // link fails if the file exists.
  const auto publish = replace ? rename : link;
  if (status.ok() && publish(temporary.c_str(), path.c_str()) != 0) {
    status = ErrnoError(replace ? "replace" : "create", path);
  }
  if (!replace || !status.ok()) unlink(temporary.c_str());
  if (!status.ok()) return status;
  const size_t slash = path.rfind('/');
  SyncFolder(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  return absl::OkStatus();
}

}  // namespace

absl::Status WritePrivateFile(const std::string& path,
                              absl::string_view contents) {
  return WriteFile(path, contents, /*replace=*/true);
}

absl::Status CreatePrivateFile(const std::string& path,
                               absl::string_view contents) {
  return WriteFile(path, contents, /*replace=*/false);
}

absl::StatusOr<std::string> ReadPrivateFile(const std::string& path,
                                            int64_t max_bytes) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return ErrnoError("read", path);
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "` is not a regular file"));
  }
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return absl::PermissionDeniedError(
        absl::StrCat("`", path,
                     "` is accessible to other users; make it private with "
                     "`chmod 600`"));
  }
  return ReadFile(path, max_bytes);
}

}  // namespace assay::rpc
