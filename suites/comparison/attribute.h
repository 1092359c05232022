// Attribute: attributes the difference between two artifacts of one model to
// their kernels.
//
// Both artifacts are loaded several times, as for a verdict (paired_loads.h).
// In every round, both run as a whole and kernel by kernel, in a new random
// order, so that machine disturbances affect both. For each part of the model
// (align_kernels.h) the observation of a load is the mean over its rounds of
// the additional time of the run's kernels over the base's; for whole
// inferences, the mean over both kinds of runs. The result is the median of the
// observations with a confidence sequence (reports/stats/median_sequence.h),
// which is valid although the number of loads depends on what was observed. The
// changes of the kernels are not adjusted to add up to the whole: how well they
// do shows how far to trust them.
//
// Loads continue until the change of whole inferences is known to within 5 % of
// itself, or the budget is spent. Kernels with the same machine code in both
// artifacts are marked and timed like all others: the code around them may make
// them slower, and the changes add up only if all kernels are included.
#ifndef ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_
#define ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "suites/comparison/program_pair.h"

namespace assay::suites {

struct AttributionLimits {
  double budget_s = 60;
  uint64_t seed = 0;
};

// `base_calls` and `run_calls` are the kernel calls of the programs that the
// loader loads. Returns Unimplemented if a session cannot time single kernel
// calls.
absl::StatusOr<reports::Attribution> Attribute(
    PairLoader loader, absl::Span<const runtime::KernelCall> base_calls,
    absl::Span<const runtime::KernelCall> run_calls,
    const AttributionLimits& limits, Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_
