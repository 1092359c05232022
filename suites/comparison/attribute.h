// Attribute: attributes the difference between two artifacts of one model to
// their kernels.
//
// In every round, both run as a whole and kernel by kernel, in a new random
// order, so that machine disturbances affect both. For each part of the
// model (align_kernels.h) the result is the median over rounds of the
// additional time of the run's kernels over the base's, with a sign-test
// interval; for whole inferences, the median over both kinds of runs. The
// changes of the kernels are not adjusted to add up to the whole: how well they
// do shows how far to trust them.
//
// Rounds continue until the change of whole inferences is known to within 5 %
// of itself, or the budget is spent. Kernels with the same machine code in both
// artifacts are marked and timed like all others: the code around them may make
// them slower, and the changes add up only if all kernels are included.
#ifndef ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_
#define ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "runtime/measure/session.h"

namespace assay::suites {

// A loaded program with the kernel calls of its artifact.
struct KernelProgram {
  runtime::Session* session = nullptr;
  int program = 0;
  absl::Span<const runtime::KernelCall> calls;
};

struct AttributionLimits {
  double budget_s = 60;
  uint64_t seed = 0;
  // As in SamplingOptions (suites/sampling/sampler.h).
  std::function<absl::Status(int64_t round)> begin_round;
};

// Returns Unimplemented if a session cannot time single kernel calls.
absl::StatusOr<reports::Attribution> Attribute(const KernelProgram& base,
                                               const KernelProgram& run,
                                               const AttributionLimits& limits,
                                               Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_
