// CommitBuilder: builds commits with Bazel in a worktree, and lets the suite of
// each commit compile, check and run the cells of a bisection.
//
// Each commit has a folder:
//
//   <folder>/<hash>/build.log       what Bazel and the suite printed
//                   results.json    the results of the suite (--out)
//                   artifacts/      the compiled models
//                   dump/           the stages of their compilation
//                   bench_artifact  the runtime of the commit
//                   problem         instead of the others: why there are none
//
// The folder appears when it is complete, so a bisection that was killed
// repeats only the build that it was killed in.
#ifndef ASSAY_CI_BISECT_COMMIT_BUILDER_H_
#define ASSAY_CI_BISECT_COMMIT_BUILDER_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/commits/repository.h"
#include "ci/bisect/search/build.h"

namespace assay::ci {

struct CommitBuilderOptions {
  // Existing folder for the folders of the commits.
  std::string folder;
  // The worktree in which the commits are built; made if it does not exist.
  std::string tree;
  std::string suite = "full";
  // Flags of the suite that select the cells.
  std::vector<std::string> flags;
  // Called before each build, with the hash of the commit.
  std::function<void(const std::string&)> on_build;
};

class CommitBuilder : public Builder {
 public:
  // `repository` must outlive this object.
  CommitBuilder(const Repository& repository, CommitBuilderOptions options)
      : repository_(repository), options_(std::move(options)) {}

  bool IsDone(const std::string& commit) const override;
  absl::StatusOr<const Build*> Get(const std::string& commit) override;

 private:
  std::string FolderOf(const std::string& commit) const;
  absl::Status Make(const std::string& commit, const std::string& folder) const;
  absl::StatusOr<std::string> BuildAndRun(const std::string& commit,
                                          const std::string& folder) const;

  const Repository& repository_;
  const CommitBuilderOptions options_;
  std::map<std::string, Build> builds_;
};

// Reads the folder of a commit. Returns an error if the folder is incomplete.
absl::StatusOr<Build> ReadBuild(const std::string& commit,
                                const std::string& folder);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_COMMIT_BUILDER_H_
