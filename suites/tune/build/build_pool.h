// BuildPool: builds points with a given number of processes.
//
//   BuildPool pool({{path_of_point_builder}, /*processes=*/2});
//   std::future<absl::StatusOr<BuiltPoint>> built = pool.Build(request);
//   ASSAY_ASSIGN_OR_RETURN(const BuiltPoint point, built.get());
//
// The compiler runs in processes of its own, because a point can crash it, and
// the search must go on. A process builds one point after the other. It is
// replaced if it ends or does not answer in time. A build is reported as a
// crash only if it ended a new process. If the process had built other points
// before, one of them may have corrupted its memory, so the point is built
// again in a new process.
//
// Thread-safe: several devices that are tuned at the same time share a pool.
#ifndef ASSAY_SUITES_TUNE_BUILD_BUILD_POOL_H_
#define ASSAY_SUITES_TUNE_BUILD_BUILD_POOL_H_

#include <deque>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/artifact/artifact.h"
#include "suites/tune/build/build_request.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

struct BuiltPoint {
  // kOk, or how the build has failed: kBuildError, kBuildCrash or
  // kBuildTimeout.
  TrialStatus status = TrialStatus::kOk;
  std::string error = {};           // one sentence; empty if the status is kOk
  runtime::Artifact artifact = {};  // if the status is kOk
  // The digest of the kernel's machine code, if the status is kOk.
  std::string code_digest = {};
};

struct BuildPoolOptions {
  // The command line of point_builder.
  std::vector<std::string> command;
  int processes = 1;
  // The time limit of a build, in seconds. A usual build takes less than a
  // tenth of a second.
  double time_limit_s = 60;
};

class BuildPool {
 public:
  explicit BuildPool(BuildPoolOptions options);
  // Waits for the builds that have begun. Abandons the others: their futures
  // never have a value.
  ~BuildPool();
  BuildPool(const BuildPool&) = delete;
  BuildPool& operator=(const BuildPool&) = delete;

  // Builds are started in the order of the calls. Returns Unavailable if no
  // process can be started, because this does not depend on the point.
  std::future<absl::StatusOr<BuiltPoint>> Build(BuildRequest request);

 private:
  class Process;
  using Builder = std::unique_ptr<Process>;  // null if there is none
  using Task = std::packaged_task<absl::StatusOr<BuiltPoint>(Builder*)>;

  absl::StatusOr<BuiltPoint> BuildWith(Builder* builder,
                                       const BuildRequest& request) const;
  void Work();

  const BuildPoolOptions options_;
  absl::Mutex mutex_;
  std::deque<Task> waiting_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_BUILD_BUILD_POOL_H_
