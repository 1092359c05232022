#include "runtime/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/descriptor.h"
#include "runtime/base/read_all.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

bool WriteAll(int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

absl::Status WriteAndSync(const std::string& path, absl::string_view contents) {
  Descriptor fd(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (fd.get() < 0) return ErrnoError("create", path);
  if (!WriteAll(fd.get(), contents)) return ErrnoError("write", path);
  if (fsync(fd.get()) != 0) return ErrnoError("sync", path);
  if (!fd.Close()) return ErrnoError("close", path);
  return absl::OkStatus();
}

// Writes to a device or a pipe, such as /dev/null.
absl::Status WriteInPlace(const std::string& path, absl::string_view contents) {
  Descriptor fd(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (fd.get() < 0) return ErrnoError("open", path);
  if (!WriteAll(fd.get(), contents)) return ErrnoError("write", path);
  if (!fd.Close()) return ErrnoError("close", path);
  return absl::OkStatus();
}

}  // namespace

absl::Status ErrnoError(absl::string_view what, const std::string& path) {
  const int error = errno;
  return absl::ErrnoToStatus(error,
                             absl::StrCat("cannot ", what, " `", path, "`"));
}

void SyncFolder(const std::string& folder) {
  const Descriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) (void)fsync(fd.get());
}

std::string JoinPath(absl::string_view folder, absl::string_view name) {
  while (!name.empty() && name.front() == '/') name.remove_prefix(1);
  if (folder.empty()) return std::string(name);
  if (folder.back() == '/') return absl::StrCat(folder, name);
  return absl::StrCat(folder, "/", name);
}

std::string CallersFolder() {
  const char* folder = getenv("BUILD_WORKING_DIRECTORY");
  if (folder != nullptr && folder[0] == '/') return folder;
  std::error_code error;
  const std::filesystem::path current = std::filesystem::current_path(error);
  return error ? "." : current.string();
}

std::string FromCallersFolder(const std::string& path) {
  if (path.empty() || path[0] == '/') return path;
  return JoinPath(CallersFolder(), path);
}

bool FileExists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     int64_t max_bytes) {
  const Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) return ErrnoError("open", path);
  return ReadAll<std::string>(fd.get(), path, max_bytes);
}

absl::Status WriteFileAtomic(const std::string& path,
                             absl::string_view contents) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return WriteInPlace(path, contents);
  }
  // Not mkstemp, which creates files with mode 0600 regardless of the umask.
  // The name is random because process ids are not unique across containers.
  uint64_t random[2] = {};
  if (getrandom(random, sizeof(random), 0) != sizeof(random)) {
    return ErrnoError("choose a temporary name for", path);
  }
  const std::string temporary =
      absl::StrCat(path, ".tmp.", absl::Hex(random[0], absl::kZeroPad16),
                   absl::Hex(random[1], absl::kZeroPad16));
  absl::Status status = WriteAndSync(temporary, contents);
  // The file of another process.
  if (absl::IsAlreadyExists(status)) return status;
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = ErrnoError("rename to", path);
  }
  if (!status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  const size_t slash = path.rfind('/');
  SyncFolder(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  return absl::OkStatus();
}

absl::Status MakeDirs(const std::string& path) {
  std::error_code error;
  std::vector<std::filesystem::path> missing;  // the deepest one first
  for (std::filesystem::path folder = path;
       !folder.empty() && !std::filesystem::exists(folder, error);
       folder = folder.parent_path()) {
    missing.push_back(folder);
    if (folder == folder.parent_path()) break;
  }
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path, error)) {
    errno = error ? error.value() : ENOTDIR;
    return ErrnoError("create the folder", path);
  }
  for (const std::filesystem::path& folder : missing) {
    const std::string parent = folder.parent_path().string();
    SyncFolder(parent.empty() ? "." : parent);
  }
  return absl::OkStatus();
}

absl::StatusOr<FolderLock> FolderLock::Acquire(const std::string& folder) {
  Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() < 0) return ErrnoError("open", folder);
  while (flock(opened.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return ErrnoError("lock", folder);
  }
  return FolderLock(std::move(opened));
}

std::string TempFolder() {
  for (const char* variable : {"TEST_TMPDIR", "TMPDIR"}) {
    const char* value = getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return "/tmp";
}

absl::StatusOr<TempDir> TempDir::Create(absl::string_view prefix) {
  const std::string parent = TempFolder();
  std::string path = JoinPath(parent, absl::StrCat(prefix, ".XXXXXX"));
  if (mkdtemp(path.data()) == nullptr) {
    return ErrnoError("create a temporary folder in", parent);
  }
  return TempDir(std::move(path));
}

absl::StatusOr<TempDir> TempDir::CreateInMemory(absl::string_view prefix) {
  std::string path = absl::StrCat("/dev/shm/", prefix, ".XXXXXX");
  if (mkdtemp(path.data()) == nullptr) return Create(prefix);
  return TempDir(std::move(path));
}

TempDir::TempDir(TempDir&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  if (this == &other) return *this;
  Remove();
  path_ = std::exchange(other.path_, {});
  return *this;
}

TempDir::~TempDir() { Remove(); }

void TempDir::Remove() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

absl::StatusOr<std::string> UserCacheDir() {
  const char* xdg = getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && xdg[0] == '/') return JoinPath(xdg, "assay");
  const char* home = getenv("HOME");
  if (home != nullptr && home[0] != '\0') {
    return JoinPath(home, ".cache/assay");
  }
  return absl::FailedPreconditionError(
      "there is no cache folder: neither `XDG_CACHE_HOME` nor `HOME` is set");
}

}  // namespace assay
