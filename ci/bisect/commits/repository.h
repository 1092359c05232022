// Repository: the commits of a git repository, by the `git` of $PATH.
#ifndef ASSAY_CI_BISECT_COMMITS_REPOSITORY_H_
#define ASSAY_CI_BISECT_COMMITS_REPOSITORY_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::ci {

struct Commit {
  std::string hash;
  std::string author;  // `Name <address>`
  std::string date;    // 2026-01-31
  std::string subject;
  std::vector<std::string> parents;  // hashes

  bool is_merge() const { return parents.size() > 1; }
};

// The object of each file of a commit, by the path of the file.
using Files = std::map<std::string, std::string>;

class Repository {
 public:
  // `folder` is a working tree of the repository.
  explicit Repository(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }

  // Returns the hash of a commit, given any name of it. Returns InvalidArgument
  // if there is no such commit.
  absl::StatusOr<std::string> Resolve(const std::string& name) const;

  // Returns the commit with this hash.
  absl::StatusOr<Commit> Get(const std::string& hash) const;

  // Returns the commits after `good` up to `bad`, the oldest first, along first
  // parents: a merge stands for all that it merges. Both are hashes. Returns
  // InvalidArgument if this line of commits does not start at `good`.
  absl::StatusOr<std::vector<Commit>> FirstParents(
      const std::string& good, const std::string& bad) const;

  // Returns the newest commit from which both can be reached.
  absl::StatusOr<std::string> MergeBase(const std::string& a,
                                        const std::string& b) const;

  // Returns the files of a commit. Symbolic links are files.
  absl::StatusOr<Files> FilesOf(const std::string& commit) const;

  // Makes `tree` a worktree of the commit, without other files. If it is a
  // worktree already, only the files that differ are written.
  absl::Status CheckOut(const std::string& commit,
                        const std::string& tree) const;

 private:
  // Returns the commits that `git log` prints with these arguments.
  absl::StatusOr<std::vector<Commit>> Log(
      const std::vector<std::string>& arguments) const;
  // Returns what git prints. Returns FailedPrecondition with what it prints to
  // standard error if it fails.
  absl::StatusOr<std::string> Git(
      const std::vector<std::string>& arguments) const;

  const std::string folder_;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_COMMITS_REPOSITORY_H_
