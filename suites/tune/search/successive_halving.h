// SuccessiveHalving: finds the best of several alternatives ("arms") whose
// observations are noisy, when each observation takes time.
//
//   ASSAY_ASSIGN_OR_RETURN(
//       const std::vector<Arm> arms,
//       SuccessiveHalving(points.size(), budget_nanos, clock, [&](size_t arm) {
//         return MeasureLogRatio(points[arm]);
//       }));
//   if (arms[0].Upper() < 0) Use(points[arms[0].index]);
//
// In each round, the remaining arms are observed a few times, and the half with
// the larger medians is dropped. In the last round, only the best arm is left
// and observed again. Most of the time thus goes to arms that are hard to tell
// apart. The smallest of many noisy observations is often smaller than the mean
// of its arm. An arm that is the smallest by luck loses when it is observed
// again. Within a round, arms are observed in turns, so that a slow second of
// the machine affects all of them. An arm that fails is told as infinity. It
// loses against all others, and is not observed again.
//
// Smaller is better. Source: Karnin, Koren and Somekh, "Almost optimal
// exploration in multi-armed bandits", 2013.
#ifndef ASSAY_SUITES_TUNE_SEARCH_SUCCESSIVE_HALVING_H_
#define ASSAY_SUITES_TUNE_SEARCH_SUCCESSIVE_HALVING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/base/clock.h"

namespace assay::suites {

struct Arm {
  size_t index = 0;
  std::vector<double> observations;

  // The median of the observations, or infinity if the arm failed.
  double Estimate() const;
  // Returns true if an observation is infinite.
  bool Failed() const;
  // Returns a value that the mean of the observations exceeds with a
  // probability of a few percent, even if the arm was chosen as the best: the
  // estimate plus three times its standard error. The error is computed from
  // the spread of the observations (stats::Summary::robust_sigma), but is at
  // least kLeastError. Infinity if the arm failed.
  double Upper() const;
};

// The smallest standard error in Upper(). A few observations may be equal by
// accident, and the computed error would then be 0.
constexpr double kLeastError = 0.001;

// Returns the arms, the best one first, then those that were dropped last. Each
// round has an equal part of `budget_nanos`. `observe` returns infinity if the
// arm failed. Returns the first error of `observe`.
absl::StatusOr<std::vector<Arm>> SuccessiveHalving(
    size_t arms, int64_t budget_nanos, Clock* clock,
    absl::FunctionRef<absl::StatusOr<double>(size_t arm)> observe);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_SUCCESSIVE_HALVING_H_
