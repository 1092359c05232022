// Files and folders, with absl::Status for everything the outside can do to
// them. Every error names the path and what the system said.
#ifndef ASSAY_RUNTIME_BASE_FILE_H_
#define ASSAY_RUNTIME_BASE_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// `folder/name`, with one slash between them.
std::string JoinPath(absl::string_view folder, absl::string_view name);

// The folder where the user typed: `bazel run` starts a program elsewhere and
// says so, otherwise it is the current one.
std::string CallersFolder();

// A path as the user typed it, seen from there; one that is absolute or empty
// stays as it is.
std::string FromCallersFolder(const std::string& path);

bool FileExists(const std::string& path);

// The whole file. NotFound if there is none; ResourceExhausted if it holds
// more than `max_bytes` (nothing is allocated for the excess); an error for a
// folder. Reads what is there, whatever size the file system claims, so it
// works on /proc too.
constexpr int64_t kMaxFileBytes = int64_t{1} << 31;
absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     int64_t max_bytes = kMaxFileBytes);

// Writes beside `path` under another name, syncs, renames: a reader, or a
// crash at any moment, sees the old content or the new, never a part. The
// folder must exist.
absl::Status WriteFileAtomic(const std::string& path,
                             absl::string_view contents);

// Creates the folder and its parents as far as they are missing.
absl::Status MakeDirs(const std::string& path);

// A new folder under $TEST_TMPDIR, else $TMPDIR, else /tmp, which is removed
// with all it holds when the object goes away.
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

// Where the user's cached files go, by the XDG base directory rules:
// $XDG_CACHE_HOME/assay if that is set to an absolute path, else
// $HOME/.cache/assay. Not created. An error if neither variable is set.
absl::StatusOr<std::string> UserCacheDir();

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_FILE_H_
