// CompareSideBySide: measures the artifact of a row and another artifact of the
// same model in alternation and sets the verdict of the row. If the row has
// regressed, attributes the change to kernels.
#ifndef ASSAY_SUITES_HARNESS_SIDE_BY_SIDE_H_
#define ASSAY_SUITES_HARNESS_SIDE_BY_SIDE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact.h"
#include "suites/correctness/checked_session.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/progress.h"

namespace assay::suites {

struct SideBySide {
  // The artifact that the row is compared with.
  const runtime::Artifact* base = nullptr;
  std::string base_digest;
  // The artifact of the row, and its session, which has been examined.
  const runtime::Artifact* run = nullptr;
  const CheckedSession* session = nullptr;
  runtime::Runner* runner = nullptr;
  // Runners for the two artifacts if their runtimes differ, else null.
  runtime::Runner* base_runtime = nullptr;
  runtime::Runner* run_runtime = nullptr;
  // Number of rows of the whole run: more rows need more evidence each.
  int64_t cells = 1;
  // Unused seconds of the budgets of the rows so far; updated.
  double* left_s = nullptr;
};

// Sets verdict, reason and `paired`. If the output of the base is wrong, the
// row is inconclusive. If an output of the run changes while it is timed, the
// row is wrong and has no times.
absl::Status CompareSideBySide(const SideBySide& both, const Options& options,
                               Progress* progress, reports::Row* row);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SIDE_BY_SIDE_H_
