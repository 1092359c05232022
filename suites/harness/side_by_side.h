// CompareSideBySide: measures the artifact of a row (`run`) and another
// artifact of the same model (`base`) in alternation and finds the verdict. If
// the row has regressed, attributes the change to kernels. With --node and
// --changed_kernels, only some kernels are judged.
#ifndef ASSAY_SUITES_HARNESS_SIDE_BY_SIDE_H_
#define ASSAY_SUITES_HARNESS_SIDE_BY_SIDE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "suites/comparison/checked_pair.h"
#include "suites/harness/cell.h"
#include "suites/harness/flags/comparison_flags.h"
#include "suites/harness/progress.h"

namespace assay::suites {

struct SideBySide {
  // `run` is the artifact of the row, and `base` the one with which it is
  // compared. CheckedSession::Examine() must have been called for the session,
  // which is that of the row. The runners differ if the runtimes of two commits
  // are compared (--against_runtime).
  CheckedPairOptions pair;
  std::string base_digest;
  // Number of cells of the whole suite, including the cells that the flag
  // --cells excludes. The more cells the suite has, the more evidence each
  // verdict requires.
  int64_t cells = 1;
  // Expected fraction of false alarms among the rows of the suite that are
  // called regressed or improved.
  double false_discovery_rate = 0.05;
  // Input and output: the part of the budgets of earlier rows that has not been
  // spent, in seconds. The comparison may spend this time after the budget of
  // this row is spent; the time that it spends in this way is subtracted. If
  // the comparison does not spend the whole budget of this row, the rest is
  // added.
  double* left_s = nullptr;
};

struct SideBySideResult {
  Judgement judgement;
  std::optional<reports::PairedComparison> paired;
};

// Measures until the verdict is known or the budget is spent. If the row has
// not regressed, but its slow inferences are slower or more frequent than those
// of `base` (reports/stats/tail_sequence.h), the verdict stays and the reason
// says so; the probability of this for equal programs is that of a false alarm,
// and comes in addition to it. If an output of `base` is wrong or changes while
// it is timed, the row is inconclusive. If an output of `run` is wrong or
// changes while it is timed, the verdict is `wrong_output`. Returns an error if
// the device fails.
absl::StatusOr<SideBySideResult> CompareSideBySide(
    const SideBySide& both, const ComparisonOptions& options, uint64_t seed,
    Progress& progress);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SIDE_BY_SIDE_H_
