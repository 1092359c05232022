// ProfileCalls: how long each kernel call of an artifact takes.
//
// Inferences are timed by kernel in turns with whole ones, because reading the
// clock between kernels costs a little. Means over the faster half of each: an
// interruption slows down one call or one inference and shall not count, and
// means, unlike medians, add up.
#ifndef ASSAY_SUITES_HARNESS_PROFILE_H_
#define ASSAY_SUITES_HARNESS_PROFILE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/services.h"

namespace assay::suites {

struct Profile {
  std::vector<double> call_ms;  // in the plan's order
  double whole_ms = 0;
};

// `rounds` inferences of each sort; at least one. Unimplemented where the
// session cannot time calls.
absl::StatusOr<Profile> ProfileCalls(Session* session, int rounds);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_PROFILE_H_
