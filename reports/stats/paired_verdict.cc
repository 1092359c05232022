#include "reports/stats/paired_verdict.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/check.h"

namespace assay::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The 80 % quantile of the standard normal distribution, for a power of 80 %.
constexpr double kPowerQuantile = 0.8416;

// The value at the fractional 0-based index `i` of `sorted`.
double Interpolate(const std::vector<double>& sorted, double i) {
  const size_t below = static_cast<size_t>(i);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] +
         (i - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double Square(double x) { return x * x; }

}  // namespace

PairedTest::PairedTest(const PairedOptions& options)
    : options_(options),
      margin_(std::log1p(options.margin)),
      ratios_(options.level, options.concentration) {
  CHECK_GT(options.margin, 0);
}

void PairedTest::Add(double log_ratio) { ratios_.Add(log_ratio); }

// The minimum detectable change as a log ratio. Approximates the Beta quantile
// by a normal quantile; the error is far below the sampling error of the order
// statistics.
double PairedTest::Detectable() const {
  if (ratios_.rank() == 0) return kInfinity;
  const double k = static_cast<double>(ratios_.rank());
  const double n = static_cast<double>(ratios_.count());
  const double mean = k / (n + 1);
  const double sigma = std::sqrt(mean * (1 - mean) / (n + 2));
  const double index = (mean - kPowerQuantile * sigma) * (n + 1) - 1;
  if (index < 0) return kInfinity;
  // Round outwards to the next distinct sample value.
  const std::vector<double>& sorted = ratios_.sorted();
  const auto low = std::lower_bound(sorted.begin(), sorted.end(),
                                    Interpolate(sorted, index));
  const auto high = std::upper_bound(sorted.begin(), sorted.end(),
                                     Interpolate(sorted, n - 1 - index));
  if (low == sorted.begin() || high == sorted.end()) return kInfinity;
  const double median = ratios_.Interval().median;
  return std::max(median - *(low - 1), *high - median);
}

// Assumes that the width shrinks with the square root of the number of samples.
double PairedTest::LoadsToGo(const MedianInterval& interval,
                             double detectable) const {
  if (!std::isfinite(detectable)) return static_cast<double>(ratios_.count());
  const double half_width = (interval.upper - interval.lower) / 2;
  const double change = std::abs(interval.median);
  const double to_differ = change > 0 ? Square(half_width / change) : kInfinity;
  const double to_equal =
      change < margin_ ? std::max(Square(half_width / (margin_ - change)),
                                  Square(detectable / margin_))
                       : kInfinity;
  const double factor = std::min(to_differ, to_equal);
  return std::max(1.0, static_cast<double>(ratios_.count()) * (factor - 1));
}

PairedVerdict PairedTest::Judge(Budget budget) const {
  PairedVerdict result;
  result.count = ratios_.count();
  result.final = budget == Budget::kSpent;
  if (result.count == 0) return result;

  const MedianInterval interval = ratios_.Interval();
  const double detectable = Detectable();
  result.change = std::expm1(interval.median);
  result.lower = std::expm1(interval.lower);
  result.upper = std::expm1(interval.upper);
  result.detectable = std::expm1(detectable);
  result.log_e_slower = LogSignEValue(ratios_.CountAbove(0), result.count,
                                      options_.concentration);
  result.log_e_faster = LogSignEValue(ratios_.CountBelow(0), result.count,
                                      options_.concentration);

  const bool inside = interval.lower >= -margin_ && interval.upper <= margin_;
  if (inside && detectable <= margin_) {
    result.verdict = Verdict::kEquivalent;
  } else if (!inside && interval.lower > 0 &&
             result.log_e_slower >= options_.log_e_alarm) {
    result.verdict = Verdict::kRegressed;
  } else if (!inside && interval.upper < 0 &&
             result.log_e_faster >= options_.log_e_alarm) {
    result.verdict = Verdict::kImproved;
  }
  const bool worth_more =
      result.verdict == Verdict::kImproved && detectable > margin_;
  result.final |= result.verdict != Verdict::kInconclusive && !worth_more;
  if (!result.final) result.loads_to_go = LoadsToGo(interval, detectable);
  return result;
}

PairedVerdict JudgePairs(absl::Span<const double> log_ratios,
                         const PairedOptions& options, Budget budget) {
  PairedTest test(options);
  for (const double x : log_ratios) test.Add(x);
  return test.Judge(budget);
}

bool MayPass(const PairedVerdict& cell, double threshold) {
  const bool sound = cell.verdict == Verdict::kEquivalent ||
                     cell.verdict == Verdict::kImproved;
  return sound && cell.upper <= threshold && cell.detectable <= threshold;
}

std::string Describe(const PairedVerdict& cell) {
  std::string text = absl::StrFormat("%.1f %% %s", 100 * std::abs(cell.change),
                                     cell.change < 0 ? "faster" : "slower");
  if (!std::isfinite(cell.upper)) {
    return absl::StrCat(text, ", ", cell.count,
                        " loads: too few for an interval");
  }
  absl::StrAppendFormat(&text, " [%+.1f %%, %+.1f %%], %d loads",
                        100 * cell.lower, 100 * cell.upper, cell.count);
  if (std::isfinite(cell.detectable)) {
    absl::StrAppendFormat(&text, "; a change of %.1f %% would be seen",
                          100 * cell.detectable);
  }
  return text;
}

}  // namespace assay::stats
