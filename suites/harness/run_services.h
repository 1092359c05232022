// Services: the dependencies of a run of a suite. SuiteMain() provides the real
// implementations; tests provide fakes.
#ifndef ASSAY_SUITES_HARNESS_RUN_SERVICES_H_
#define ASSAY_SUITES_HARNESS_RUN_SERVICES_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "reports/result/device_state.h"
#include "reports/result/run_result.h"
#include "runtime/measure/session.h"
#include "suites/comparison/canary.h"
#include "suites/correctness/oracle.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/progress.h"
#include "suites/harness/services.h"
#include "suites/references/reference.h"
#include "suites/trace/trace_file.h"

namespace assay::suites {

// An independent runtime. Its outputs and times are compared with the outputs
// and times of the compiled programs.
struct ReferenceRuntime {
  std::string name;  // name and version, for example `onnxruntime 1.31.1`
  // Loads a model and sets its inputs, which SetInputs() can replace. `threads`
  // 0 stands for all processors.
  std::function<absl::StatusOr<PreparedReference>(
      const Model& model, const runtime::NamedTensors& inputs, int threads,
      ByteProducts arithmetic)>
      load;
  // Waits until the threads of the runtime are idle. May be null.
  std::function<void()> settle;
};

// Receives the state of a device before and after a block of samples.
using ObserveBlock = std::function<void(const reports::BlockState& block)>;

// The tools that compile, check and run models.
struct Tools {
  Compiler* compiler = nullptr;
  Oracle* oracle = nullptr;
  // Creates a runner for a device. If a tracker lends the device, the thread
  // that uses the runner calls `observe` after each block of samples. With
  // --parallel, make_runner is called by several threads.
  std::function<absl::StatusOr<std::unique_ptr<runtime::Runner>>(
      const devices::Device& device, const ObserveBlock& observe)>
      make_runner;
  // Ends all calls of make_runner that wait for a device, and all later ones.
  // Called by another thread. May be null.
  std::function<void()> stop_waiting;
  // Returns lines about the devices that are printed below the table, each with
  // its line break. May be null.
  std::function<std::string()> device_remarks;
  // Begins to observe what else this machine does while programs with so many
  // threads are measured. The result ends that, and returns what disturbed them
  // (suites/machine/disturbance.h). May be null.
  std::function<std::function<std::vector<std::string>()>(int threads)>
      observe_machine;
  // Creates a runner for --against_runtime that runs programs in a separate
  // process. The argument is the path of the bench_artifact that the process
  // executes; an empty path selects the bench_artifact of this build.
  std::function<absl::StatusOr<std::unique_ptr<runtime::Runner>>(
      const std::string&)>
      make_process_runner;
  // The reference runtime, or an error that states why it is not available.
  absl::StatusOr<ReferenceRuntime> reference =
      absl::NotFoundError("there is none");
  // Tests whether side-by-side comparisons give correct verdicts
  // (suites/comparison/canary.h). It is called before the first comparison with
  // each number of threads. May be null.
  std::function<absl::StatusOr<std::vector<reports::CanaryTrial>>(
      const CanaryMode& mode, uint64_t seed)>
      canary;
};

// Identifies a run in reports.
struct RunIdentity {
  // Digest of the executable that compiles and measures.
  std::string program_digest;
  // UTC time, for example `2024-05-01T12:00:00Z`.
  std::string started_at;
  // Commit of the source; empty if unknown.
  std::string commit;
  // Digest of the program, the suite and all flags except --resume. A run can
  // resume an earlier run only if `command` and the comparable part of the
  // environment (ComparableState()) are equal in both runs.
  std::string command;
};

struct Folders {
  // Folder of the device files.
  std::string devices;
  // Folder of the artifacts of baselines; empty if these artifacts are not
  // kept.
  std::string artifacts;
  // Folder of the baselines; --baseline overrides it. If it is empty and
  // --baseline is not given, there are no baselines and none can be stored.
  std::string baselines;
};

struct Services {
  // Returns the models in the order of measurement. The list is not empty.
  std::function<absl::StatusOr<std::vector<ModelSource>>(const Options&)>
      models;
  Tools tools;
  RunIdentity identity;
  Folders folders;
  std::ostream* out = nullptr;  // receives the report
  Progress* progress = nullptr;
  TraceFile* trace = nullptr;  // the file of --trace; null without
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_SERVICES_H_
