#include "rpc/server/worker/work_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "rpc/server/worker/remove_tree.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr size_t kCopyBytes = 1 << 20;

ssize_t ReadSome(int fd, char* bytes, size_t size) {
  ssize_t n = 0;
  do {
    n = read(fd, bytes, size);
  } while (n < 0 && errno == EINTR);
  return n;
}

// Returns false and sets errno if this fails.
bool WriteAll(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) {
      bytes += n;
      size -= static_cast<size_t>(n);
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<std::string> WorkFile::Read(size_t bytes) {
  std::string text(bytes, '\0');
  size_t done = 0;
  while (done < bytes) {
    const ssize_t n = ReadSome(fd_.get(), text.data() + done, bytes - done);
    if (n <= 0) {
      return absl::DataLossError(
          "a file of the worker has become shorter while it was read");
    }
    done += static_cast<size_t>(n);
  }
  return text;
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), fd_(std::move(other.fd_)) {}

WorkFolder::~WorkFolder() {
  // What cannot be removed is removed by the next WorkRoot::Open().
  if (!path_.empty()) RemoveTree(path_).IgnoreError();
}

absl::Status WorkFolder::CopyIn(const std::string& from,
                                const std::string& name) {
  const Descriptor source(open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.get() < 0) return ErrnoError("read", from);
  Remove(name);
  const Descriptor copy(openat(
      fd_.get(), name.c_str(),
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const std::string path = JoinPath(path_, name);
  if (copy.get() < 0) return ErrnoError("create", path);
  std::vector<char> buffer(kCopyBytes);
  while (true) {
    const ssize_t n = ReadSome(source.get(), buffer.data(), buffer.size());
    if (n < 0) return ErrnoError("read", from);
    if (n == 0) return absl::OkStatus();
    if (!WriteAll(copy.get(), buffer.data(), static_cast<size_t>(n))) {
      return ErrnoError("write", path);
    }
  }
}

absl::StatusOr<WorkFile> WorkFolder::Open(const std::string& name,
                                          int64_t max_bytes) {
  const std::string path = JoinPath(path_, name);
  Descriptor fd(openat(fd_.get(), name.c_str(),
                       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (fd.get() < 0) {
    // Links are ELOOP, and sockets ENXIO.
    if (errno == ENOENT || errno == EMFILE || errno == ENFILE) {
      return ErrnoError("read", path);
    }
    return absl::InternalError(
        absl::StrCat("`", path, "` is not a file that can be read"));
  }
  struct stat info;
  if (fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return absl::InternalError(
        absl::StrCat("`", path, "` is not a regular file"));
  }
  if (info.st_size > max_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("`", path, "` has ", info.st_size,
                     " bytes, and the limit is ", max_bytes));
  }
  return WorkFile(std::move(fd), info.st_size);
}

void WorkFolder::Remove(const std::string& name) {
  if (unlinkat(fd_.get(), name.c_str(), 0) == 0 || errno == ENOENT) return;
  RemoveTree(JoinPath(path_, name)).IgnoreError();
}

absl::Status CheckUsage(const std::string& path, int64_t max_bytes,
                        int64_t max_files) {
  constexpr int64_t kBlockBytes = 512;
  DIR* const folder = opendir(path.c_str());
  if (folder == nullptr) return ErrnoError("list", path);
  absl::Status status;
  int64_t bytes = 0;
  int64_t files = 0;
  while (status.ok()) {
    const dirent* entry = readdir(folder);
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    struct stat info;
    if (name == "." || name == ".." ||
        fstatat(dirfd(folder), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    bytes += static_cast<int64_t>(info.st_blocks) * kBlockBytes;
    ++files;
    if (S_ISDIR(info.st_mode)) {
      status = absl::ResourceExhaustedError("the worker has created a folder");
    } else if (bytes > max_bytes || files > max_files) {
      status = absl::ResourceExhaustedError(
          absl::StrCat("the worker has written more than ",
                       bytes > max_bytes ? max_bytes : max_files,
                       bytes > max_bytes ? " bytes" : " files"));
    }
  }
  closedir(folder);
  return status;
}

absl::StatusOr<std::unique_ptr<WorkRoot>> WorkRoot::Open(
    const std::string& path) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(path));
  if (chmod(path.c_str(), S_IRWXU) != 0) return ErrnoError("protect", path);
  ASSAY_RETURN_IF_ERROR(RemoveContents(path));
  return std::unique_ptr<WorkRoot>(new WorkRoot(path));
}

absl::StatusOr<WorkFolder> WorkRoot::Create() {
  const std::string path = JoinPath(path_, absl::StrCat(++created_));
  if (mkdir(path.c_str(), S_IRWXU) != 0) return ErrnoError("create", path);
  Descriptor fd(
      open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd.get() < 0) {
    const absl::Status error = ErrnoError("open", path);
    rmdir(path.c_str());
    return error;
  }
  return WorkFolder(path, std::move(fd));
}

}  // namespace assay::rpc
