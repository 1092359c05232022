// CompareSideBySide: the verdict of a row from measuring another artifact of
// the same model and the row's own side by side; and, where the row regressed,
// in which kernels.
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
  // What the row is compared with.
  const runtime::Artifact* base = nullptr;
  std::string base_digest;
  // The row's own, examined.
  const runtime::Artifact* run = nullptr;
  CheckedSession* session = nullptr;
  Runner* runner = nullptr;
  // Where the runtimes differ, too: programs of their own for both.
  Runner* base_runtime = nullptr;
  Runner* run_runtime = nullptr;
  // Rows of the whole run: the more, the more evidence each needs.
  int64_t cells = 1;
  // Seconds that rows before this one left of their budgets, and then those
  // that this one left.
  double* left_s = nullptr;
};

// Sets verdict, reason and `paired`. Where the base gives a wrong answer the
// row is inconclusive; where an output changes while it is timed, wrong, and
// its times are taken back.
absl::Status CompareSideBySide(const SideBySide& both, const Options& options,
                               Progress* progress, reports::Row* row);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SIDE_BY_SIDE_H_
