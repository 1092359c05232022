// BuildPool: compiles kernel programs with a given number of threads.
//
//   BuildPool pool(2);
//   std::future<BuiltPoint> built =
//       pool.Build({task.key, &program, target, choice});
//   const BuiltPoint point = built.get();
//
// Thread-safe: several devices that are tuned at the same time share a pool.
#ifndef ASSAY_SUITES_TUNE_SEARCH_BUILD_POOL_H_
#define ASSAY_SUITES_TUNE_SEARCH_BUILD_POOL_H_

#include <deque>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "compiler/driver/tuning_table.h"
#include "compiler/target/target.h"
#include "runtime/artifact/artifact.h"
#include "suites/tune/search/kernel_program.h"

namespace assay::suites {

struct BuildRequest {
  std::string key;  // of the task
  // Must outlive the build.
  const KernelProgram* program = nullptr;
  target::Target target;
  driver::TunedKernel choice;
};

struct BuiltPoint {
  // InvalidArgument if the choice does not fit the kernel.
  absl::StatusOr<runtime::Artifact> artifact;
  // Digest of the kernel's machine code; empty if it was not built.
  std::string code_digest;
};

// Compiles the program with `choice` for its kernel. Thread-safe.
BuiltPoint BuildPoint(const BuildRequest& request);

class BuildPool {
 public:
  explicit BuildPool(int threads);
  // Waits for the builds that have begun; the others are not done.
  ~BuildPool();
  BuildPool(const BuildPool&) = delete;
  BuildPool& operator=(const BuildPool&) = delete;

  // Builds are started in the order of the calls.
  std::future<BuiltPoint> Build(BuildRequest request);

 private:
  void Work();

  absl::Mutex mutex_;
  std::deque<std::packaged_task<BuiltPoint()>> waiting_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_BUILD_POOL_H_
