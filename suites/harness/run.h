// RunSuite: runs a suite, from its models to a verdict for each row.
//
// The rows are the matrix models x devices x threads x fusion, in that order.
// For each:
//   1. compile, once per model, device, fusion and number of threads;
//   2. run on two inputs and compare the outputs with the correct ones
//      (model_answers.h). A row with wrong outputs is not timed;
//   3. measure (cell_timer.h). Rows that differ only in fusion alternate, and
//      with --reference another runtime, too. The inputs change from sample to
//      sample, and all outputs must be bitwise equal to those of step 2
//      (checked_session.h), which detects kernels that are correct only once;
//   4. compare with the baseline, unless the device is emulated (row_judge.h);
//   5. write all results so far to --out, and append the row to --store, before
//      the next rows start.
// With --resume, a row that an earlier process of this run recorded for the
// same artifact is taken from the store instead of steps 2 to 4. If a row fails
// on its device, the others still run. A model or flag that works on no device
// is an error of the whole run or, if there are several models, of this one;
// then the others are measured, and the exit code is the most severe.
//
// Finally the table is printed to standard output and, with --bless, the times
// of all rows that passed the checks are stored in the baselines.
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

// Returns an error if the run cannot start or continue; main() prints the
// message and exits with ExitCodeOf(status).
absl::StatusOr<Outcome> RunSuite(const Options& options,
                                 const Services& services);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_H_
