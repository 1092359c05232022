#include "suites/tune/search/successive_halving.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reports/stats/summary.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// The smallest and the largest number of observations of an arm in a round.
// Between them, the budget decides.
constexpr int kLeastObservations = 2;
constexpr int kMostObservations = 16;

}  // namespace

bool Arm::Failed() const {
  return std::any_of(observations.begin(), observations.end(),
                     [](double value) { return std::isinf(value); });
}

double Arm::Estimate() const {
  // A few good observations before the failure must not outvote it.
  return Failed() ? std::numeric_limits<double>::infinity()
                  : stats::Median(observations);
}

double Arm::Upper() const {
  if (Failed()) return Estimate();
  const stats::Summary summary = stats::Summarize(observations);
  // The standard error of a median of normally distributed numbers.
  constexpr double kOfMedian = 1.253;
  const double error = kOfMedian * summary.robust_sigma /
                       std::sqrt(static_cast<double>(summary.count));
  return summary.median + 3 * std::max(error, kLeastError);
}

absl::StatusOr<std::vector<Arm>> SuccessiveHalving(
    size_t count, int64_t budget_nanos, Clock* clock,
    absl::FunctionRef<absl::StatusOr<double>(size_t arm)> observe) {
  std::vector<Arm> arms(count);
  for (size_t i = 0; i < count; ++i) arms[i].index = i;
  int64_t rounds = 1;  // the last one observes the best arm alone
  for (size_t left = count; left > 1; left = (left + 1) / 2) ++rounds;
  size_t left = count;
  for (int64_t round = 0; round < rounds; ++round) {
    const int64_t end = clock->NowNanos() + budget_nanos / rounds;
    for (int i = 0; i < kMostObservations; ++i) {
      if (i >= kLeastObservations && clock->NowNanos() >= end) break;
      for (size_t k = 0; k < left; ++k) {
        if (arms[k].Failed()) continue;
        ASSAY_ASSIGN_OR_RETURN(const double observed, observe(arms[k].index));
        arms[k].observations.push_back(observed);
      }
    }
    std::sort(arms.begin(), arms.begin() + static_cast<ptrdiff_t>(left),
              [](const Arm& a, const Arm& b) {
                return std::pair(a.Estimate(), a.index) <
                       std::pair(b.Estimate(), b.index);
              });
    left = (left + 1) / 2;
  }
  return arms;
}

}  // namespace assay::suites
