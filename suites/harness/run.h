// RunSuite: the whole of a suite's run, from models to a verdict per row.
//
// The rows are the matrix models x devices x threads x fusion, in that order.
// For each:
//   1. compile, once per model, device, fusion and number of threads;
//   2. run on two inputs and compare the outputs with the right ones. If they
//      are wrong, the row says so and nothing of it is timed;
//   3. measure; rows that differ in fusion alone take turns, and with
//      --reference so does another runtime. The inputs change from sample to
//      sample, and the outputs of each must be those of step 2 bit by bit
//      (examined_session.h): a kernel that is right once is not right;
//   4. compare with the baseline, unless the device is emulated. That is a
//      screen (reports/stats/compare.h): where it suspects a change, the
//      artifact that the baseline was made with is measured side by side with
//      this one, and the verdict comes from that; so it does for every row with
//      --against. Where that artifact is not to be had, nothing is concluded;
//   5. write all results so far to --out, and append the row to --store, before
//      the next rows start.
// With --resume, a row that an earlier process of this run recorded for the
// same artifact is taken from the store instead of steps 2 to 4. A row that
// fails on its device does not keep the others from running. A model or a flag
// that cannot work on any does: that is an error of the whole run, or, of
// several models, of this one: the others are measured, and the exit code is
// the gravest.
//
// Last, the table goes to standard output and, with --bless, the times of all
// sound rows to the baselines.
#ifndef ASSAY_SUITES_HARNESS_RUN_H_
#define ASSAY_SUITES_HARNESS_RUN_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/render/run_result.h"
#include "runtime/base/clock.h"
#include "suites/harness/exit_code.h"
#include "suites/harness/options.h"
#include "suites/harness/progress.h"
#include "suites/harness/services.h"

namespace assay::suites {

// The runtime that answers and times are compared with.
constexpr char kReferenceName[] = "onnxruntime";

// Another runtime, whose answers and times are compared with ours.
struct ReferenceRuntime {
  std::string name;  // with its version
  std::function<absl::StatusOr<std::unique_ptr<Session>>(
      const Model& model, const runtime::NamedTensors& inputs, int threads)>
      load;
  // Waits until a runtime that had its turn uses no processor any more; may
  // be null.
  std::function<void()> settle;
};

struct Services {
  // In the order measured; at least one.
  std::function<absl::StatusOr<std::vector<ModelSource>>(const Options&)>
      models;
  Compiler* compiler = nullptr;
  Oracle* oracle = nullptr;
  std::function<absl::StatusOr<std::unique_ptr<Runner>>(const devices::Device&)>
      make_runner;
  // A runner that is a program of its own, bench_artifact at that path, or this
  // commit's for an empty one; for --against_runtime.
  std::function<absl::StatusOr<std::unique_ptr<Runner>>(const std::string&)>
      make_process_runner;
  // The error says why it cannot be had.
  absl::StatusOr<ReferenceRuntime> reference =
      absl::NotFoundError("there is none");
  // Whether this machine can be trusted with comparisons side by side, asked
  // before the first; may be null.
  std::function<absl::StatusOr<reports::Canary>(uint64_t seed)> canary;
  // Of the machine that this program runs on.
  reports::Environment environment;
  // Of the program that compiles and measures.
  std::string program_digest;
  // Where device files are.
  std::string devices_folder;
  // Where the artifacts of baselines are kept; empty if they are not.
  std::string artifact_folder;
  // Where baselines are, unless --baseline says otherwise; empty if there are
  // none and none can be stored.
  std::string baseline_folder;
  // `2024-05-01T12:00:00Z`.
  std::string started_at;
  // Of the source; empty where unknown.
  std::string commit;
  // Digest of the program and what it was told to do: what makes a run one that
  // can continue another, together with the environment.
  std::string command;
  std::ostream* out = nullptr;
  Progress* progress = nullptr;
};

struct Outcome {
  reports::RunResult result;
  ExitCode exit_code = ExitCode::kInfrastructure;
};

// Errors are those that kept the run from starting or going on; main() prints
// the message and exits with ExitCodeOf(status).
absl::StatusOr<Outcome> RunSuite(const Options& options, Services& services);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_H_
