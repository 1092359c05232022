#include "rpc/security/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

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

}  // namespace

absl::Status WritePrivateFile(const std::string& path,
                              absl::string_view contents) {
  // mkstemp creates the file with the mode 0600.
  const std::string pattern = absl::StrCat(path, ".tmp.XXXXXX");
  std::vector<char> temporary(pattern.c_str(),
                              pattern.c_str() + pattern.size() + 1);
  const int fd = mkstemp(temporary.data());
  if (fd < 0) return ErrnoError("create a file beside", path);
  absl::Status status;
  if (!WriteAll(fd, contents)) status = ErrnoError("write", path);
  close(fd);
  if (status.ok() && rename(temporary.data(), path.c_str()) != 0) {
    status = ErrnoError("rename to", path);
  }
  if (!status.ok()) {
    unlink(temporary.data());
    return status;
  }
  const size_t slash = path.rfind('/');
  SyncFolder(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadPrivateFile(const std::string& path,
                                            int64_t max_bytes) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return ErrnoError("read", path);
  if ((info.st_mode & 077) != 0) {
    return absl::PermissionDeniedError(
        absl::StrCat("`", path,
                     "` can be read by other users; make it private with "
                     "`chmod 600`"));
  }
  return ReadFile(path, max_bytes);
}

}  // namespace assay::rpc
