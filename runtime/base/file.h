// This header declares file system functions that report errors as
// absl::Status. The error of a failed system call names the path and contains
// the message of the system.
#ifndef ASSAY_RUNTIME_BASE_FILE_H_
#define ASSAY_RUNTIME_BASE_FILE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/descriptor.h"

namespace assay {

// Returns the status of a system call that has just failed. Its message is
// "cannot WHAT `PATH`", followed by the text of errno.
absl::Status ErrnoError(absl::string_view what, const std::string& path);

// Returns `folder/name`. Slashes at the start of `name` are dropped, and no
// slash is added if `folder` is empty or ends in one.
std::string JoinPath(absl::string_view folder, absl::string_view name);

// Returns the working directory of the user: $BUILD_WORKING_DIRECTORY if it is
// an absolute path, else the current directory. `bazel run` sets this variable
// because it starts programs in another directory.
std::string CallersFolder();

// Resolves a path relative to CallersFolder(). Absolute and empty paths are
// returned unchanged.
std::string FromCallersFolder(const std::string& path);

bool FileExists(const std::string& path);

// Reads a whole file. Returns NotFound if it does not exist, ResourceExhausted
// if it is larger than `max_bytes`, and another error if it is a directory. A
// regular file beyond the limit is rejected before it is read. The function
// reads up to the end of the file and not up to its reported size, so files in
// /proc, whose reported size is 0, can be read.
constexpr int64_t kMaxFileBytes = int64_t{1} << 31;
absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     int64_t max_bytes = kMaxFileBytes);

// Replaces the contents of `path` atomically: writes a temporary file in the
// same directory, calls fsync, and renames it. After a crash, and for
// concurrent readers, the file has either the old or the new contents, never a
// part of them. The directory must exist. If `path` is not a regular file but a
// device such as /dev/null or a pipe, the contents are written to it instead.
absl::Status WriteFileAtomic(const std::string& path,
                             absl::string_view contents);

// Makes the creation or renaming of the folder's files durable. Errors are
// ignored, because some file systems cannot sync a directory.
void SyncFolder(const std::string& folder);

// Creates the directory and its missing parents, durably.
absl::Status MakeDirs(const std::string& path);

// A FolderLock excludes other processes and threads that lock the same existing
// directory, until it is destroyed. It leaves no file behind.
class FolderLock {
 public:
  // Waits for the lock.
  static absl::StatusOr<FolderLock> Acquire(const std::string& folder);
  FolderLock(FolderLock&&) noexcept = default;
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  explicit FolderLock(Descriptor folder) : folder_(std::move(folder)) {}

  Descriptor folder_;
};

// Returns the directory for temporary files: $TEST_TMPDIR, or else $TMPDIR, or
// else /tmp.
std::string TempFolder();

// A TempDir owns a new directory in TempFolder(). The destructor removes the
// directory with its contents.
class TempDir {
 public:
  static absl::StatusOr<TempDir> Create(absl::string_view prefix = "assay");
  // Creates the directory in shared memory (/dev/shm) if possible, for files by
  // which processes exchange data without accessing a disk. Otherwise, like
  // Create().
  static absl::StatusOr<TempDir> CreateInMemory(
      absl::string_view prefix = "assay");
  TempDir(TempDir&& other) noexcept;
  TempDir& operator=(TempDir&& other) noexcept;
  ~TempDir();

  const std::string& path() const { return path_; }

 private:
  explicit TempDir(std::string path) : path_(std::move(path)) {}
  void Remove();

  std::string path_;
};

// Returns the user's cache directory according to the XDG base directory
// specification: $XDG_CACHE_HOME/assay if this variable is an absolute path,
// else $HOME/.cache/assay. Does not create the directory. Returns
// FailedPrecondition if neither variable can be used.
absl::StatusOr<std::string> UserCacheDir();

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_FILE_H_
