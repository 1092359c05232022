#include "ci/bisect/search/value_oracle.h"

#include <cmath>

#include "runtime/base/status_macros.h"

namespace assay::ci {
namespace {

// The assumed probability that noise moves a value across the undecided range.
constexpr double kErrorOfNoisyValue = 0.005;

}  // namespace

bool ValueOracle::IsKnown(int /*base*/, int run) { return probes_.IsDone(run); }

absl::StatusOr<bool> ValueOracle::Build(int candidate) {
  ASSAY_ASSIGN_OR_RETURN(const ci::Build* build, probes_.Get(candidate));
  const std::optional<double> value = value_of_(*build);
  if (!value.has_value()) return false;
  values_[candidate] = *value;
  return true;
}

absl::StatusOr<Decision> ValueOracle::Compare(int base, int run) {
  const double change = ValueAt(run) - ValueAt(base);
  const double excess = change - ValueAt(base) * tolerance_;
  const double noise = ValueAt(base) * noise_;
  if (noise > 0 && std::abs(excess) <= noise) return Decision();
  return Decision{excess > 0 ? Answer::kWorse : Answer::kNotWorse,
                  noise > 0 ? kErrorOfNoisyValue : 0};
}

absl::StatusOr<Decision> ValueOracle::Confirm(int base, int run) {
  return Compare(base, run);
}

}  // namespace assay::ci
