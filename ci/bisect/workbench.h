// Workbench: the folders, the worktree and the programs with which a bisection
// builds and measures commits.
//
//   <cache>/assay/bisect/<workspace>/tree      the worktree of all jobs
//                                   inputs_*   digests of inputs, by commit
//                                   <job>/     builds, comparisons and reports
//
// Only one process at a time can use the worktree; others wait.
#ifndef ASSAY_CI_BISECT_WORKBENCH_H_
#define ASSAY_CI_BISECT_WORKBENCH_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ci/bisect/commit_builder.h"
#include "ci/bisect/commits/build_inputs.h"
#include "ci/bisect/commits/repository.h"
#include "ci/bisect/search/build.h"
#include "ci/bisect/search/comparison.h"
#include "runtime/base/file.h"

namespace assay::ci {

struct WorkbenchOptions {
  // The folder of the repository from which the program was started. Its suite
  // is the one that compares builds.
  std::string workspace;
  std::string suite = "full";
  // Patterns of --cells. If the list is empty, all cells are compiled.
  std::vector<std::string> cells;
  // Other flags of the suite.
  std::vector<std::string> flags;
  double budget_s = 30;  // of a measurement
  // The folder of the job, or empty for one in the user's cache, which depends
  // on `key`, the cells, the suite and its flags.
  std::string out;
  std::vector<std::string> key;
  // Called before each build and before each measurement.
  std::function<void(const std::string& commit)> on_build;
  std::function<void(const ComparisonRequest&)> on_measurement;
};

class Workbench {
 public:
  // Returns InvalidArgument if a flag is one that the bisection sets.
  static absl::StatusOr<std::unique_ptr<Workbench>> Open(
      WorkbenchOptions options);

  const Repository& repository() const { return repository_; }
  // The folder of the job.
  const std::string& folder() const { return folder_; }
  Builder& builder();
  // Builds the suite of the workspace before the first measurement.
  Comparer& comparer();

  // The digests of the inputs of all `commits`, which should be in the order of
  // the history. `on_read` is called before those of a commit are found out.
  absl::StatusOr<std::vector<InputDigest>> InputsOf(
      const std::vector<std::string>& commits,
      const std::function<void(size_t)>& on_read);

  // The names of the cells of these builds.
  static std::vector<std::string> CellsOf(
      const std::vector<const Build*>& builds);

  // The builds of this process and their time.
  int builds() const { return builds_; }
  double building_s() const { return building_s_; }

 private:
  class TimedBuilder;
  class LazyComparer;

  explicit Workbench(WorkbenchOptions options);
  absl::Status MakeFolders();
  std::string Tree() const { return JoinPath(shared_, "tree"); }

  const WorkbenchOptions options_;
  const Repository repository_;
  std::string shared_;
  std::string folder_;
  std::optional<FolderLock> lock_;
  std::unique_ptr<CommitBuilder> commits_;
  std::unique_ptr<Builder> builder_;
  std::unique_ptr<Comparer> comparer_;
  int builds_ = 0;
  double building_s_ = 0;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_WORKBENCH_H_
