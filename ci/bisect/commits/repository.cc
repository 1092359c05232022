#include "ci/bisect/commits/repository.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"

namespace assay::ci {
namespace {

// Separates the fields of a commit in the output of `git log`.
constexpr char kField = '\x1f';

// Checking out a large tree on a slow disk takes minutes.
constexpr double kGitSeconds = 600;

}  // namespace

absl::StatusOr<std::string> Repository::Git(
    const std::vector<std::string>& arguments) const {
  // `env` searches $PATH for git.
  std::vector<std::string> command = {"/usr/bin/env", "git", "-C", folder_};
  command.insert(command.end(), arguments.begin(), arguments.end());
  runtime::ProcessOptions options;
  options.timeout_s = kGitSeconds;
  ASSAY_ASSIGN_OR_RETURN(const runtime::ProcessResult result,
                         runtime::RunProcess(command, options));
  if (!result.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("`git ", arguments.front(),
                     "` failed: ", runtime::LastLines(result.err)));
  }
  return result.out;
}

absl::StatusOr<std::string> Repository::Resolve(const std::string& name) const {
  const auto hash = Git({"rev-parse", "--verify", "--quiet", "--end-of-options",
                         absl::StrCat(name, "^{commit}")});
  if (!hash.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", name, "` is no commit of this repository"));
  }
  return std::string(absl::StripAsciiWhitespace(*hash));
}

absl::StatusOr<std::vector<Commit>> Repository::Log(
    const std::vector<std::string>& arguments) const {
  std::vector<std::string> command = {
      "log", "-z", "--format=%H%x1f%an <%ae>%x1f%as%x1f%P%x1f%s"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ASSAY_ASSIGN_OR_RETURN(const std::string log, Git(command));
  std::vector<Commit> commits;
  for (const absl::string_view record :
       absl::StrSplit(log, '\0', absl::SkipEmpty())) {
    const std::vector<std::string> fields =
        absl::StrSplit(record, absl::MaxSplits(kField, 4));
    if (fields.size() != 5) {
      return absl::InternalError(
          absl::StrCat("`git log` printed `", record, "`"));
    }
    commits.push_back({fields[0], fields[1], fields[2], fields[4],
                       absl::StrSplit(fields[3], ' ', absl::SkipEmpty())});
  }
  return commits;
}

absl::StatusOr<Commit> Repository::Get(const std::string& hash) const {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Commit> commits,
                         Log({"--max-count=1", "--end-of-options", hash}));
  if (commits.size() == 1) return commits[0];
  return absl::NotFoundError(absl::StrCat("there is no commit ", hash));
}

absl::StatusOr<std::vector<Commit>> Repository::FirstParents(
    const std::string& good, const std::string& bad) const {
  ASSAY_ASSIGN_OR_RETURN(
      std::vector<Commit> commits,
      Log({"--first-parent", "--reverse", absl::StrCat(good, "..", bad)}));
  if (commits.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no commit of ", bad, " comes after ", good));
  }
  const std::vector<std::string>& parents = commits.front().parents;
  if (parents.empty() || parents.front() != good) {
    return absl::InvalidArgumentError(absl::StrCat(
        good, " is not among the first parents of ", bad,
        parents.empty() ? "" : "; the line of these parents leaves it at ",
        parents.empty() ? "" : parents.front()));
  }
  return commits;
}

absl::StatusOr<std::string> Repository::MergeBase(const std::string& a,
                                                  const std::string& b) const {
  ASSAY_ASSIGN_OR_RETURN(const std::string base, Git({"merge-base", a, b}));
  return std::string(absl::StripAsciiWhitespace(base));
}

absl::StatusOr<Files> Repository::FilesOf(const std::string& commit) const {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string list,
      Git({"ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit}));
  Files files;
  for (const absl::string_view entry :
       absl::StrSplit(list, '\0', absl::SkipEmpty())) {
    // `100644 blob 1f0e…<tab>path`. The mode is part of the value, because it
    // makes a file executable.
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(entry, absl::MaxSplits('\t', 1));
    files.emplace_hint(files.end(), parts.second, parts.first);
  }
  return files;
}

absl::Status Repository::CheckOut(const std::string& commit,
                                  const std::string& tree) const {
  if (FileExists(JoinPath(tree, ".git"))) {
    const Repository worktree(tree);
    if (worktree.Git({"checkout", "--quiet", "--detach", "--force", commit})
            .ok() &&
        worktree.Git({"clean", "-fdxq", "--exclude=/bazel-*"}).ok()) {
      return absl::OkStatus();
    }
  }
  ASSAY_RETURN_IF_ERROR(Git({"worktree", "prune"}).status());
  return Git({"worktree", "add", "--quiet", "--detach", "--force", tree,
              commit})
      .status();
}

}  // namespace assay::ci
