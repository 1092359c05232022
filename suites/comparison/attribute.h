// Attribute: attributes the difference in time between two artifacts of one
// model, `base` and `run`, to their kernels.
//
// In every round, each artifact is run twice: once timed as a whole, and once
// timed kernel by kernel. The order of these four runs is random, so that
// disturbances of the machine affect both artifacts equally. The change of a
// part of the model (align_kernels.h) in a round is the time of its kernels in
// `run` minus the time of its kernels in `base`. The result for the part is the
// median of this change over the rounds, with a confidence interval from the
// sign test. The result for the whole model is computed in the same way, but
// from two changes per round: one of the inferences timed as a whole, and one
// of the inferences timed kernel by kernel. The changes of the parts are not
// adjusted to add up to the change of the whole model. If their sum differs
// much from the change of the whole model, the changes of the parts are not
// reliable.
//
// Rounds continue until the budget is spent, or until there are at least 40
// rounds and the width of the 99 % confidence interval for the whole model is
// at most 10 % of the change of the whole model. Kernels with the same machine
// code in both artifacts are marked, but are timed like all other kernels. They
// can be slower because of the code around them, and the changes add up only if
// all kernels are included.
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

// A loaded program with the kernel calls of its artifact. `program` is the
// index of the program in the session.
struct KernelProgram {
  runtime::Session* session = nullptr;
  int program = 0;
  absl::Span<const runtime::KernelCall> calls;
};

struct AttributionLimits {
  double budget_s = 60;  // seconds
  uint64_t seed = 0;     // seed of the order of runs
  // If not null, called before each round with the index of the round, counted
  // from 0. If this function returns an error, Attribute() returns the error.
  std::function<absl::Status(int64_t round)> begin_round;
};

// Measures both programs and returns the changes. Returns Unimplemented if a
// session cannot time single kernel calls.
absl::StatusOr<reports::Attribution> Attribute(const KernelProgram& base,
                                               const KernelProgram& run,
                                               const AttributionLimits& limits,
                                               Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_ATTRIBUTE_H_
