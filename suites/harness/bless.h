// Bless: makes the times of a run the baseline (--bless).
#ifndef ASSAY_SUITES_HARNESS_BLESS_H_
#define ASSAY_SUITES_HARNESS_BLESS_H_

#include <ostream>

#include "absl/status/status.h"
#include "reports/result/run_result.h"
#include "suites/harness/flags/comparison_flags.h"
#include "suites/harness/plan.h"
#include "suites/harness/recorder.h"

namespace assay::suites {

// Stores the times of all rows that have enough samples in the baselines of
// their suites, except rows of emulated devices and, without --force, rows that
// other programs disturbed. Unless `out` is null, writes to it what was stored,
// as soon as it is.
absl::Status Bless(const reports::RunResult& result, const Plan& plan,
                   const RunIdentity& identity,
                   const ComparisonOptions& options, std::ostream* out);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_BLESS_H_
