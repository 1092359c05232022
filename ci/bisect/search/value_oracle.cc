#include "ci/bisect/search/value_oracle.h"

#include "runtime/base/status_macros.h"

namespace assay::ci {

bool ValueOracle::IsKnown(int /*base*/, int run) { return probes_.IsDone(run); }

absl::StatusOr<bool> ValueOracle::Build(int candidate) {
  ASSAY_ASSIGN_OR_RETURN(const ci::Build* build, probes_.Get(candidate));
  const std::optional<double> value = value_of_(*build);
  if (!value.has_value()) return false;
  values_[candidate] = *value;
  return true;
}

absl::StatusOr<Decision> ValueOracle::Compare(int base, int run) {
  const bool worse = ValueAt(run) > ValueAt(base) * (1 + tolerance_);
  return Decision{worse ? Answer::kWorse : Answer::kNotWorse, 0};
}

absl::StatusOr<Decision> ValueOracle::Confirm(int base, int run) {
  return Compare(base, run);
}

}  // namespace assay::ci
