// Services: the dependencies of a run of a suite. SuiteMain() provides the real
// implementations, tests provide fakes.
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
#include "reports/result/run_result.h"
#include "runtime/measure/session.h"
#include "suites/correctness/oracle.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/progress.h"
#include "suites/harness/services.h"

namespace assay::suites {

// The name of the reference runtime in flags and remarks.
constexpr char kReferenceName[] = "onnxruntime";

// Another runtime, whose outputs and times are compared with ours.
struct ReferenceRuntime {
  std::string name;  // with its version
  std::function<absl::StatusOr<std::unique_ptr<runtime::Session>>(
      const Model& model, const runtime::NamedTensors& inputs, int threads)>
      load;
  // Waits until the threads of the runtime are idle again; may be null.
  std::function<void()> settle;
};

// The tools that compile, check and run models.
struct Tools {
  Compiler* compiler = nullptr;
  Oracle* oracle = nullptr;
  std::function<absl::StatusOr<std::unique_ptr<runtime::Runner>>(
      const devices::Device&)>
      make_runner;
  // A runner in a process of its own: the bench_artifact at that path, or with
  // an empty path that of this commit. For --against_runtime.
  std::function<absl::StatusOr<std::unique_ptr<runtime::Runner>>(
      const std::string&)>
      make_process_runner;
  // If it is not available, an error with the reason.
  absl::StatusOr<ReferenceRuntime> reference =
      absl::NotFoundError("there is none");
  // Tests comparisons side by side on this machine before the first is made;
  // may be null.
  std::function<absl::StatusOr<reports::Canary>(uint64_t seed)> canary;
};

// Identifies a run in reports.
struct RunIdentity {
  // Digest of the program that compiles and measures.
  std::string program_digest;
  // UTC time, for example `2024-05-01T12:00:00Z`.
  std::string started_at;
  // Commit of the source; empty if unknown.
  std::string commit;
  // Digest of the program and its flags. Runs that agree in this and in the
  // environment (RunState) can continue each other.
  std::string command;
};

struct Folders {
  // Device files.
  std::string devices;
  // Artifacts of baselines; empty if they are not kept.
  std::string artifacts;
  // Baselines, unless --baseline is given; empty if there are none and none can
  // be stored.
  std::string baselines;
};

struct Services {
  // Returns the models in the order of measurement, at least one.
  std::function<absl::StatusOr<std::vector<ModelSource>>(const Options&)>
      models;
  Tools tools;
  RunIdentity identity;
  Folders folders;
  std::ostream* out = nullptr;
  Progress* progress = nullptr;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_SERVICES_H_
