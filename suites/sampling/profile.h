// ProfileCalls: measures the time of each kernel call of a program.
//
// Two kinds of runs alternate: runs in which each kernel call is timed, and
// runs that are timed only as a whole, because reading the clock between
// kernels takes time. The results are means over the faster half of the runs of
// each kind, which excludes runs that were interrupted. Means are used because
// the mean time of a run is the sum of the mean times of its calls; medians do
// not have this property.
#ifndef ASSAY_SUITES_SAMPLING_PROFILE_H_
#define ASSAY_SUITES_SAMPLING_PROFILE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/measure/session.h"

namespace assay::suites {

struct Profile {
  // Mean time of each kernel call, in the order of the artifact's plan.
  std::vector<double> call_ns;
  // Mean time of a run that is timed only as a whole.
  double whole_ns = 0;
};

// Profiles program 0 of `session`, which must have kernel calls, with `rounds`
// runs of each kind. `rounds` must be at least 1. Returns the errors of
// runtime::TimeCalls().
absl::StatusOr<Profile> ProfileCalls(runtime::Session& session, int rounds);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SAMPLING_PROFILE_H_
