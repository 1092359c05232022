// Attribute: where the difference between two artifacts of one model comes
// from.
//
// In every round both are run as a whole and kernel by kernel, in an order
// drawn anew, so that what the machine does to one it does to the other. What
// is said of a piece of the model (align_kernels.h) is the median over rounds
// of how much longer its kernels took in the run than in the base, with a
// sign-test interval; that of whole inferences is the median over both sorts of
// runs. The kernels' changes are not made to add up to it: how well they do
// tells how far to believe them.
//
// Rounds go on until the change of whole inferences is known to within a
// twentieth of itself, or the budget is spent. Kernels that are the same
// machine code in both are marked and timed like the others: they may be slower
// for what lies around them, and without them nothing adds up.
#ifndef ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_
#define ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "suites/harness/services.h"

namespace assay::suites {

// A session with the calls of its artifact.
struct KernelSession {
  Session* session = nullptr;
  absl::Span<const runtime::KernelCall> calls;
};

// Unimplemented where kernels cannot be timed one by one.
absl::StatusOr<reports::Attribution> Attribute(const KernelSession& base,
                                               const KernelSession& run,
                                               double budget_s, uint64_t seed,
                                               Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_
