// RunSuite: compiles, checks and measures the models of a suite, and determines
// a verdict for each row.
//
// A row is the result of one cell of the matrix models x devices x numbers of
// threads x variants (reports/result/variant.h). The rows are measured in this
// order, in which tuning varies fastest.
//
//   plan (plan.h)           devices, baselines, the cells of the matrix
//   scheduler (scheduler.h) the jobs of the run, on one or more device slots
//   model (model_run.h)     the stages of a cell: compile, check, time, judge
//   recorder (recorder.h)   rows, artifacts, and the files of --out and --store
//   exit (exit_rules.h)     the exit code
//
// A program runs on each example, which is a set of inputs, and its outputs are
// compared with the correct outputs (model_answers.h). If an output is wrong,
// the row is not timed. The outputs of every timed sample must be bitwise equal
// to those outputs. This detects kernels that are correct only in the first run
// (suites/correctness/checked_session.h).
//
// With --resume, if an earlier process of this run recorded the row for the
// same artifact, the row is taken from the store.
//
// If a device fails in one row, the other rows are still measured. An error in
// the user's input (ExitCode::kUsage), for example a model that cannot be
// compiled for a device, ends the run if there is one model. If there are
// several models, the error ends only the rows of its model, and RunSuite()
// returns the most severe exit code.
//
// At the end, the report is written to SuiteRig::out. With --bless, the times
// become the baseline (bless.h).
#ifndef ASSAY_SUITES_HARNESS_RUN_H_
#define ASSAY_SUITES_HARNESS_RUN_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "runtime/base/exit_code.h"
#include "suites/correctness/oracle.h"
#include "suites/devices/device_source.h"
#include "suites/harness/compiler/compiler.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/host.h"
#include "suites/harness/progress.h"
#include "suites/harness/recorder.h"
#include "suites/references/reference.h"
#include "suites/trace/trace_file.h"

namespace assay::suites {

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

// SuiteRig holds all that a run needs besides its options. SuiteMain() provides
// the real parts, and tests provide fakes. Only RunSuite() uses the whole
// struct; it passes each stage only the parts that the stage needs.
struct SuiteRig {
  Compiler& compiler;
  Oracle& oracle;
  DeviceSource& devices;
  Host& host;
  Progress& progress;
  std::ostream& out;  // receives the report
  // The reference runtime, or an error that states why it is not available. Its
  // outputs and times are compared with those of the compiled programs.
  absl::StatusOr<Reference*> reference;
  TraceFile* trace = nullptr;  // the file of --trace; null without
  RunIdentity identity = {};
  Folders folders = {};
};

struct Outcome {
  reports::RunResult result;
  ExitCode exit_code = ExitCode::kInfrastructure;
};

// Measures `models`, of which there is at least one. Returns an error if the
// run cannot start or continue. The caller must then print the message and exit
// with ExitCodeOf(status).
absl::StatusOr<Outcome> RunSuite(const Options& options,
                                 std::vector<ModelSource> models,
                                 const SuiteRig& rig);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_H_
