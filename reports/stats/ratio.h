// Ratio: how many times as fast one program is as another, with a confidence
// interval.
//
// Samples of both programs must have been taken in rounds, one sample of each
// program per round (suites/sampling/sampler.h). A disturbance that lasts
// longer than a round changes both samples of the round and not their ratio.
// The ratio of a round is the time of the other program divided by the time of
// our program. The result is the median of the ratios of the rounds, with the
// sign interval (sign_interval.h) of level kRatioLevel. It is computed from
// logarithms, so that exchanging the programs gives the reciprocals.
//
// Assumption: given the machine and the loaded programs, the ratios of the
// rounds are independent and have the same median, and their number was chosen
// beforehand. The interval does not account for what stays the same in all
// rounds, such as the addresses of the programs, which can change a ratio by a
// few percent. A comparison of runtimes therefore loads the model several times
// in each runtime, and computes one ratio per load instead of one per round
// (suites/comparison/runtime_speed.h). To decide if a program became slower,
// use paired_verdict.h.
#ifndef ASSAY_REPORTS_STATS_RATIO_H_
#define ASSAY_REPORTS_STATS_RATIO_H_

#include <limits>
#include <vector>

#include "absl/types/span.h"

namespace assay::stats {

// Confidence level of the intervals, for which six rounds are needed.
constexpr double kRatioLevel = 0.95;

struct Ratio {
  // Values above 1 mean that our program is faster.
  double value = 1;
  // Bounds of the confidence interval. They are 0 and infinity if there are too
  // few rounds for an interval.
  double lower = 0;
  double upper = std::numeric_limits<double>::infinity();
};

bool operator==(const Ratio& a, const Ratio& b);

// Returns true if the interval does not contain 1.
bool Distinguishable(const Ratio& ratio);

// Returns log(other / ours) for each round. Both arguments contain the times of
// the samples, indexed by round. CHECK-fails if their sizes differ.
std::vector<double> LogSpeedRatios(absl::Span<const double> ours_ns,
                                   absl::Span<const double> other_ns);

// Returns how many times as fast our program is as the other one. All times
// must be positive. CHECK-fails if the sizes differ or there are no rounds.
Ratio SpeedRatio(absl::Span<const double> ours_ns,
                 absl::Span<const double> other_ns);

// Returns the geometric mean of the ratios of several problems, each measured
// in rounds of its own. `problems` contains the result of LogSpeedRatios() for
// each problem. For each round i, the geometric mean of the ratios of all
// problems in round i is computed; if the numbers of rounds differ, the
// smallest number is used. The result is the median of these means over the
// rounds, with its sign interval. CHECK-fails if there are no problems, or no
// rounds of a problem.
Ratio GeometricMeanRatio(absl::Span<const std::vector<double>> problems);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_RATIO_H_
