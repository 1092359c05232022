// ProfileCalls: the time of each kernel call of a program.
//
// Inferences timed by kernel alternate with whole ones, because reading the
// clock between kernels takes time. The results are means over the faster half
// of each kind, which excludes interruptions of single calls or inferences.
// Means, unlike medians, add up.
#ifndef ASSAY_SUITES_SAMPLING_PROFILE_H_
#define ASSAY_SUITES_SAMPLING_PROFILE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/measure/session.h"

namespace assay::suites {

struct Profile {
  std::vector<double> call_ns;  // in the order of the plan
  double whole_ns = 0;
};

// Profiles program 0 with `rounds` inferences of each kind; at least one.
// Returns Unimplemented if the session cannot time calls.
absl::StatusOr<Profile> ProfileCalls(runtime::Session& session, int rounds);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SAMPLING_PROFILE_H_
