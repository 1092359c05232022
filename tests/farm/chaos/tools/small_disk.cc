#include "tests/farm/chaos/tools/small_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

absl::Status WriteProc(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return ErrnoError("open", path);
  const bool ok =
      write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const absl::Status status = ok ? absl::OkStatus() : ErrnoError("write", path);
  close(fd);
  return status;
}

}  // namespace

absl::Status SmallDisk::Prepare() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (user != 0 || unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
      return ErrnoError("make", "a mount namespace");
    }
    ASSAY_RETURN_IF_ERROR(WriteProc("/proc/self/setgroups", "deny"));
    ASSAY_RETURN_IF_ERROR(
        WriteProc("/proc/self/uid_map", absl::StrCat(user, " ", user, " 1")));
    ASSAY_RETURN_IF_ERROR(
        WriteProc("/proc/self/gid_map", absl::StrCat(group, " ", group, " 1")));
  }
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return ErrnoError("make private", "/");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<SmallDisk>> SmallDisk::Mount(
    const std::string& folder, int64_t bytes) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  if (mount("tmpfs", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV,
            absl::StrCat("mode=0700,size=", bytes).c_str()) != 0) {
    return ErrnoError("mount", folder);
  }
  return std::unique_ptr<SmallDisk>(new SmallDisk(folder));
}

absl::Status SmallDisk::Fill() {
  const std::string path = JoinPath(folder_, "filler");
  const int fd =
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return ErrnoError("create", path);
  const std::string zeros(4096, '\0');
  while (write(fd, zeros.data(), zeros.size()) > 0) {
  }
  const absl::Status status =
      errno == ENOSPC ? absl::OkStatus() : ErrnoError("fill", path);
  close(fd);
  return status;
}

void SmallDisk::Free() { unlink(JoinPath(folder_, "filler").c_str()); }

}  // namespace assay
