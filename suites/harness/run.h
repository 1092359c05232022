// RunSuite: compiles, checks and measures the models of a suite, and determines
// a verdict for each row.
//
// A row is the result of one cell of the matrix models x devices x numbers of
// threads x variants, which are combinations of fusion and tuning. The rows are
// measured in this order, which varies tuning fastest. Steps of a row:
//   1. Compile the model.
//   2. Run the program on each example, which is a set of inputs, and compare
//      the outputs with the correct outputs (model_answers.h). If an output is
//      wrong, the row is not timed. With --outputs, the first row whose program
//      runs writes its outputs for the first example.
//   3. Take samples (cell_timer.h). Samples of rows that differ only in their
//      variants alternate; with --reference, samples of the reference runtime
//      are interleaved, under the same conditions
//      (suites/references/parity.h).
//      The example changes from round to round; with --inputs, it is always the
//      one with these inputs. The outputs of every sample must be bitwise equal
//      to the outputs of step 2 for the same example. This detects kernels that
//      are correct only in the first run (checked_session.h).
//   4. Compare the times with the baseline or with another run (row_judge.h),
//      unless the device is emulated.
//   5. Write all results so far to --out, and append the row to --store.
// With --resume, if an earlier process of this run recorded the row for the
// same artifact, steps 2 to 4 are skipped and the row is taken from the store.
//
// If a device fails in one row, the other rows are still measured. An error in
// the user's input (ExitCode::kUsage), for example a model that cannot be
// compiled for a device, ends the run if there is one model. If there are
// several models, the error ends only the rows of its model, and RunSuite()
// returns the most severe exit code.
//
// At the end, the report is written to Services::out. With --bless, the times
// of all rows that have enough samples are stored in the baselines, except rows
// of emulated devices.
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

// Returns an error if the run cannot start or continue. The caller must then
// print the message and exit with ExitCodeOf(status).
absl::StatusOr<Outcome> RunSuite(const Options& options,
                                 const Services& services);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_H_
