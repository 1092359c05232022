#include "reports/stats/persistent_shift.h"

#include <algorithm>
#include <cmath>

#include "runtime/base/check.h"

namespace assay::stats {
namespace {

// A stronger autocorrelation cannot be told from a change of the level.
constexpr double kMaxCorrelation = 0.97;
// Residuals beyond this number of scales are set to it.
constexpr double kLimit = 3;
// The ratio of the standard deviation of a normal distribution to its mean
// absolute deviation.
constexpr double kMeanToScale = 1.2533;
// Smallest share of the variance that is assumed to remain in the residuals.
constexpr double kMinShare = 0.2;
// Smallest number of values on each side of the estimated index.
constexpr int64_t kMinSide = 3;

// Returns the median and reorders `values`.
double MedianInPlace(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

// The variance of a mean of `count` values with variance 1, see step 4.
double VarianceOfMean(double correlation, int64_t count) {
  const double r = correlation;
  const double m = static_cast<double>(count);
  const double factor = (1 + r) / (1 - r) -
                        2 * r * (1 - std::pow(r, m)) / (m * (1 - r) * (1 - r));
  return factor / m;
}

// The median of a range of values that moves forward.
class MovingMedian {
 public:
  explicit MovingMedian(absl::Span<const double> values) : values_(values) {}

  double Of(int64_t first, int64_t end) {
    if (first < first_ || first >= end_ || end < end_) {
      first_ = first;
      end_ = end;
      sorted_.assign(values_.begin() + first, values_.begin() + end);
      std::sort(sorted_.begin(), sorted_.end());
    }
    for (; end_ < end; ++end_) sorted_.insert(PlaceOf(end_), At(end_));
    for (; first_ < first; ++first_) sorted_.erase(PlaceOf(first_));
    const size_t half = sorted_.size() / 2;
    return sorted_.size() % 2 == 1 ? sorted_[half]
                                   : 0.5 * (sorted_[half] + sorted_[half - 1]);
  }

 private:
  double At(int64_t i) const { return values_[static_cast<size_t>(i)]; }
  std::vector<double>::iterator PlaceOf(int64_t i) {
    return std::lower_bound(sorted_.begin(), sorted_.end(), At(i));
  }

  absl::Span<const double> values_;
  // The values of [first_, end_).
  int64_t first_ = 0;
  int64_t end_ = 0;
  std::vector<double> sorted_;
};

class Test {
 public:
  Test(absl::Span<const double> values, const ShiftOptions& options)
      : values_(values), options_(options), before_(values), after_(values) {}

  // Compares [middle, end) with [first, middle). Returns the difference of the
  // levels in standard errors; 0 if it is certainly below the threshold.
  double Errors(int64_t first, int64_t middle, int64_t end) {
    const double before = before_.Of(first, middle);
    const double after = after_.Of(middle, end);
    residuals_.clear();
    for (int64_t i = first; i < end; ++i) {
      residuals_.push_back(At(i) - (i < middle ? before : after));
    }
    if (MostErrors(after - before, first, middle, end) < options_.threshold) {
      return 0;
    }
    const double limit = kLimit * Scale();
    for (double& residual : residuals_) {
      residual = std::clamp(residual, -limit, limit);
    }
    double products = 0, squares = 0;
    for (size_t i = 0; i < residuals_.size(); ++i) {
      squares += residuals_[i] * residuals_[i];
      const bool is_first_of_part =
          i == 0 || static_cast<int64_t>(i) == middle - first;
      if (!is_first_of_part) products += residuals_[i] * residuals_[i - 1];
    }
    const double n = static_cast<double>(end - first);
    correlation_ = squares > 0 ? products / squares : 0;
    correlation_ = Clamped((n * correlation_ + 1) / (n - 3));
    correlation_ = Clamped(correlation_ +
                           std::sqrt((1 - correlation_ * correlation_) / n));
    const double of_before = VarianceOfMean(correlation_, middle - first);
    const double of_after = VarianceOfMean(correlation_, end - middle);
    const double share = 1 - (static_cast<double>(middle - first) * of_before +
                              static_cast<double>(end - middle) * of_after) /
                                 n;
    const double variance = std::max(squares / n / std::max(share, kMinShare),
                                     options_.resolution * options_.resolution);
    return (after - before) / std::sqrt(variance * (of_before + of_after));
  }

  double MedianOf(int64_t first, int64_t end) {
    scratch_.assign(values_.begin() + first, values_.begin() + end);
    return MedianInPlace(scratch_);
  }

  // Returns the position in [first, end) at which a split leaves the smallest
  // sum of squares.
  int64_t BestSplit(int64_t first, int64_t end) const {
    double total = 0;
    for (int64_t i = first; i < end; ++i) total += At(i);
    const double n = static_cast<double>(end - first);
    double sum = 0, largest = -1;
    int64_t best = first + kMinSide;
    for (int64_t i = first; i < end - kMinSide; ++i) {
      sum += At(i);
      const double k = static_cast<double>(i + 1 - first);
      if (i + 1 - first < kMinSide) continue;
      const double contrast = sum - total * k / n;
      const double gain = contrast * contrast / (k * (n - k));
      if (gain <= largest) continue;
      largest = gain;
      best = i + 1;
    }
    return best;
  }

  double correlation() const { return correlation_; }

 private:
  static double Clamped(double correlation) {
    return std::clamp(correlation, 0.0, kMaxCorrelation);
  }

  double At(int64_t i) const { return values_[static_cast<size_t>(i)]; }

  // Returns an upper bound of the absolute result of Errors(), which takes
  // little time: the variance of the levels is smallest for the smallest scale
  // and without autocorrelation.
  double MostErrors(double difference, int64_t first, int64_t middle,
                    int64_t end) const {
    double sum = 0;
    for (const double residual : residuals_) sum += std::abs(residual);
    const double n = static_cast<double>(end - first);
    const double limit =
        kLimit * std::max(kMeanToScale * sum / n, options_.resolution);
    double squares = 0;
    for (const double residual : residuals_) {
      const double size = std::min(std::abs(residual), limit);
      squares += size * size;
    }
    const double variance =
        std::max(squares / n, options_.resolution * options_.resolution);
    const double of_levels = 1.0 / static_cast<double>(middle - first) +
                             1.0 / static_cast<double>(end - middle);
    // The sums of Errors() are rounded otherwise.
    constexpr double kRounding = 1 + 1e-6;
    return kRounding * std::abs(difference) / std::sqrt(variance * of_levels);
  }

  double Scale() {
    double sum = 0;
    scratch_.clear();
    for (const double residual : residuals_) {
      scratch_.push_back(std::abs(residual));
      sum += scratch_.back();
    }
    const double mean = sum / static_cast<double>(residuals_.size());
    return std::max({1.4826 * MedianInPlace(scratch_), kMeanToScale * mean,
                     options_.resolution});
  }

  absl::Span<const double> values_;
  const ShiftOptions& options_;
  MovingMedian before_, after_;
  std::vector<double> scratch_, residuals_;
  double correlation_ = 0;
};

}  // namespace

std::vector<Shift> FindPersistentShifts(absl::Span<const double> values,
                                        const ShiftOptions& options) {
  CHECK(options.recent > 2 * kMinSide) << options.recent;
  CHECK(options.min_before >= options.recent) << options.min_before;
  CHECK(options.max_before >= options.min_before) << options.max_before;
  CHECK(options.resolution > 0) << options.resolution;
  CHECK(options.level_start >= 0) << options.level_start;
  CHECK(options.first_tested >= 0) << options.first_tested;
  for (const double value : values) CHECK(std::isfinite(value)) << value;
  std::vector<Shift> shifts;
  Test test(values, options);
  int64_t start = options.level_start;  // of the current level
  for (int64_t end = options.first_tested + 1;
       end <= static_cast<int64_t>(values.size()); ++end) {
    const int64_t middle = end - options.recent;
    if (middle - start < options.min_before) continue;
    const int64_t first = std::max(start, middle - options.max_before);
    const double errors = test.Errors(first, middle, end);
    if (std::abs(errors) < options.threshold) continue;
    Shift shift;
    shift.correlation = test.correlation();
    shift.errors = errors;
    shift.index = test.BestSplit(middle - options.recent, end);
    shift.found = end - 1;
    shift.before = test.MedianOf(first, shift.index);
    shift.after = test.MedianOf(shift.index, end);
    shifts.push_back(shift);
    start = shift.index;
  }
  return shifts;
}

}  // namespace assay::stats
