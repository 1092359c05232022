// File system functions that report errors as absl::Status. Every error names
// the path and the system's error.
#ifndef ASSAY_RUNTIME_BASE_FILE_H_
#define ASSAY_RUNTIME_BASE_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// Returns `folder/name` with exactly one slash between the two.
std::string JoinPath(absl::string_view folder, absl::string_view name);

// The user's working directory: $BUILD_WORKING_DIRECTORY, which `bazel run`
// sets because it starts programs in another directory, or else the current
// directory.
std::string CallersFolder();

// Resolves a path relative to CallersFolder(). Absolute and empty paths are
// returned unchanged.
std::string FromCallersFolder(const std::string& path);

bool FileExists(const std::string& path);

// Reads a whole file. Returns NotFound if it does not exist, ResourceExhausted
// if it is larger than `max_bytes` (without allocating memory for the excess),
// and an error for a directory. Reads up to the end of the file and not up to
// its reported size, so it also works on /proc.
constexpr int64_t kMaxFileBytes = int64_t{1} << 31;
absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     int64_t max_bytes = kMaxFileBytes);

// Replaces the contents of `path` atomically: writes a temporary file in the
// same directory, calls fsync, and renames it. After a crash, and for
// concurrent readers, the file has the old or the new contents, never a torn
// write. The directory must exist.
absl::Status WriteFileAtomic(const std::string& path,
                             absl::string_view contents);

// Creates the directory and its missing parents.
absl::Status MakeDirs(const std::string& path);

// A new directory in $TEST_TMPDIR, $TMPDIR or /tmp (the first that is set). The
// destructor removes it with its contents.
class TempDir {
 public:
  static absl::StatusOr<TempDir> Create(absl::string_view prefix = "assay");
  TempDir(TempDir&& other) noexcept;
  TempDir& operator=(TempDir&& other) noexcept;
  ~TempDir();

  const std::string& path() const { return path_; }

 private:
  explicit TempDir(std::string path) : path_(std::move(path)) {}
  void Remove();

  std::string path_;
};

// The user's cache directory according to the XDG base directory specification:
// $XDG_CACHE_HOME/assay if the variable is an absolute path, else
// $HOME/.cache/assay. Does not create it. Returns FailedPrecondition if neither
// variable is set.
absl::StatusOr<std::string> UserCacheDir();

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_FILE_H_
