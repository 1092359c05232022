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
//      (checked_session.h): a kernel that is right once is not right;
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
// the most severe.
//
// Last, the table goes to standard output and, with --bless, the times of all
// sound rows to the baselines.
#ifndef ASSAY_SUITES_HARNESS_RUN_H_
#define ASSAY_SUITES_HARNESS_RUN_H_

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "runtime/base/exit_code.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/run_services.h"

namespace assay::suites {

struct Outcome {
  reports::RunResult result;
  ExitCode exit_code = ExitCode::kInfrastructure;
};

// An error is one that kept the run from starting or going on; main() prints the
// message and exits with ExitCodeOf(status).
absl::StatusOr<Outcome> RunSuite(const Options& options,
                                 const Services& services);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_H_
