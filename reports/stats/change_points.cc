#include "reports/stats/change_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "reports/stats/summary.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

// Upper limit of the correction; a stronger autocorrelation is
// indistinguishable from a level shift.
constexpr double kMaxCorrelation = 0.9;
// The permutation test stops after this number of permutations with a statistic
// at least as large as the observed one: the p-value is then not small.
constexpr int64_t kExceedances = 20;

// Mid-ranks (ties get the mean of their ranks) minus the mean rank.
std::vector<double> CentredRanks(absl::Span<const double> values) {
  const size_t n = values.size();
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return values[a] < values[b] || (values[a] == values[b] && a < b);
  });
  std::vector<double> ranks(n);
  const double mean = 0.5 * static_cast<double>(n + 1);
  for (size_t first = 0; first < n;) {
    size_t end = first;
    while (end < n && values[order[end]] == values[order[first]]) ++end;
    const double rank = 0.5 * static_cast<double>(first + 1 + end) - mean;
    for (; first < end; ++first) ranks[order[first]] = rank;
  }
  return ranks;
}

// Computes the scan statistic of a segment and of its permutations.
class Scan {
 public:
  // The part [first, end) with the largest statistic; first is 0 for a split
  // into two parts, and end is less than the size of the segment.
  struct Peak {
    double statistic = 0;
    int64_t first = 0;
    int64_t end = 0;
  };

  // `ranks` may be in any order.
  Scan(const std::vector<double>& ranks, int64_t min_segment)
      : size_(static_cast<int64_t>(ranks.size())),
        shortest_(min_segment),
        sums_(ranks.size() + 1),
        inverse_variance_(ranks.size()) {
    double squares = 0;
    for (const double rank : ranks) squares += rank * rank;
    const double n = static_cast<double>(size_);
    for (int64_t length = 1; length < size_ && squares > 0; ++length) {
      const double k = static_cast<double>(length);
      inverse_variance_[static_cast<size_t>(length)] =
          n * (n - 1) / (squares * k * (n - k));
    }
  }

  Peak Of(const std::vector<double>& ranks) {
    std::partial_sum(ranks.begin(), ranks.end(), sums_.begin() + 1);
    Peak two;
    for (int64_t end = shortest_; end <= size_ - shortest_; ++end) {
      Try(0, end, two);
    }
    Peak middle;
    for (int64_t first = shortest_; first <= size_ - 2 * shortest_; ++first) {
      for (int64_t end = first + shortest_; end <= size_ - shortest_; ++end) {
        Try(first, end, middle);
      }
    }
    const double differences = CorrelationOfDifferences(ranks);
    CorrectForCorrelation(ranks, differences, two);
    CorrectForCorrelation(ranks, differences, middle);
    middle.statistic -= 2 * std::log(0.5 * static_cast<double>(size_));
    return middle.statistic > two.statistic ? middle : two;
  }

 private:
  double SumOf(int64_t first, int64_t end) const {
    return sums_[static_cast<size_t>(end)] - sums_[static_cast<size_t>(first)];
  }

  void Try(int64_t first, int64_t end, Peak& peak) const {
    const double sum = SumOf(first, end);
    const double squared =
        sum * sum * inverse_variance_[static_cast<size_t>(end - first)];
    if (squared > peak.statistic) peak = {squared, first, end};
  }

  // Corrects the statistic for lag-1 autocorrelation.
  void CorrectForCorrelation(const std::vector<double>& ranks,
                             double differences, Peak& peak) const {
    if (peak.end == 0) return;
    const double c =
        std::clamp(std::min(differences, CorrelationAbout(ranks, peak)), 0.0,
                   kMaxCorrelation);
    peak.statistic *= (1 - c) / (1 + c);
  }

  // Autocorrelation of the ranks after subtracting the mean of the part from
  // the part and the mean of the rest from the rest.
  double CorrelationAbout(const std::vector<double>& ranks,
                          const Peak& part) const {
    const int64_t length = part.end - part.first;
    const double sum = SumOf(part.first, part.end);
    // The centred ranks sum to 0.
    const double inside = sum / static_cast<double>(length);
    const double around = -sum / static_cast<double>(size_ - length);
    double products = 0;
    double squares = 0;
    double before = 0;
    for (int64_t i = 0; i < size_; ++i) {
      const double rest = ranks[static_cast<size_t>(i)] -
                          (i >= part.first && i < part.end ? inside : around);
      products += before * rest;
      squares += rest * rest;
      before = rest;
    }
    return squares > 0 ? products / squares : 0;
  }

  // For an AR(1) process with correlation c, the variance of lag-2 differences
  // is 1 + c times that of lag-1 differences.
  static double CorrelationOfDifferences(const std::vector<double>& ranks) {
    const auto mean_square = [&](size_t lag) {
      double sum = 0;
      for (size_t i = lag; i < ranks.size(); ++i) {
        const double difference = ranks[i] - ranks[i - lag];
        sum += difference * difference;
      }
      return sum / static_cast<double>(ranks.size() - lag);
    };
    const double one = mean_square(1);
    return one > 0 ? mean_square(2) / one - 1 : 0;
  }

  int64_t size_;
  int64_t shortest_;
  std::vector<double> sums_;              // prefix sums of the ranks
  std::vector<double> inverse_variance_;  // of a rank sum, by number of ranks
};

class Search {
 public:
  Search(absl::Span<const double> values, const ChangePointOptions& options)
      : values_(values), options_(options), rng_(options.seed) {}

  // Appends the changes of [first, end), in no particular order.
  void Divide(int64_t first, int64_t end, std::vector<int64_t>& changes) {
    Scan::Peak part;
    if (Test(first, end, part) > options_.level) return;
    std::vector<int64_t> ends = {first};
    if (part.first > 0) ends.push_back(first + part.first);
    ends.push_back(first + part.end);
    ends.push_back(end);
    for (size_t i = 0; i + 1 < ends.size(); ++i) {
      if (i > 0) changes.push_back(ends[i]);
      Divide(ends[i], ends[i + 1], changes);
    }
  }

  // Tests each change between its neighbours, moves it to the best position
  // there, and drops it if it is not significant. Returns true if `changes` was
  // modified.
  bool Refine(std::vector<int64_t>& changes, std::vector<double>& p_values) {
    bool moved = false;
    p_values.assign(changes.size(), 1);
    for (size_t i = 0; i < changes.size();) {
      const int64_t first = i == 0 ? 0 : changes[i - 1];
      const int64_t end = i + 1 == changes.size()
                              ? static_cast<int64_t>(values_.size())
                              : changes[i + 1];
      Scan::Peak part;
      p_values[i] = Test(first, end, part);
      const auto at = static_cast<std::ptrdiff_t>(i);
      if (p_values[i] > options_.level) {
        changes.erase(changes.begin() + at);
        p_values.erase(p_values.begin() + at);
        moved = true;
        continue;
      }
      // An inner part has two ends; this change is the nearer one.
      const int64_t begins = first + part.first;
      const int64_t ends = first + part.end;
      const bool at_begin = part.first > 0 && std::abs(begins - changes[i]) <=
                                                  std::abs(ends - changes[i]);
      const int64_t best = at_begin ? begins : ends;
      moved = moved || best != changes[i];
      changes[i++] = best;
    }
    return moved;
  }

 private:
  // Returns the p-value of the hypothesis that [first, end) has no change, and
  // in `part` the part with the largest statistic. Results are memoised.
  double Test(int64_t first, int64_t end, Scan::Peak& part) {
    if (end - first < 2 * options_.min_segment) return 1;
    const auto [known, fresh] = tested_.try_emplace({first, end});
    if (fresh) known->second.p_value = Permute(first, end, known->second.part);
    part = known->second.part;
    return known->second.p_value;
  }

  double Permute(int64_t first, int64_t end, Scan::Peak& part) {
    std::vector<double> ranks = CentredRanks(values_.subspan(
        static_cast<size_t>(first), static_cast<size_t>(end - first)));
    Scan scan(ranks, options_.min_segment);
    part = scan.Of(ranks);
    if (part.end == 0) return 1;  // all values are equal
    // The tolerance counts statistics that are equal up to rounding.
    const double as_large = part.statistic - 1e-9;
    const auto orders = static_cast<int64_t>(std::ceil(5 / options_.level));
    int64_t exceedances = 0;
    for (int64_t order = 1; order <= orders; ++order) {
      for (size_t i = ranks.size() - 1; i > 0; --i) {
        std::swap(ranks[i], ranks[rng_.NextU64() % (i + 1)]);
      }
      if (scan.Of(ranks).statistic >= as_large &&
          ++exceedances == kExceedances) {
        return static_cast<double>(exceedances) / static_cast<double>(order);
      }
    }
    return static_cast<double>(exceedances + 1) /
           static_cast<double>(orders + 1);
  }

  struct Tested {
    double p_value = 1;
    Scan::Peak part;
  };

  absl::Span<const double> values_;
  ChangePointOptions options_;
  Rng rng_;
  // Results of Test(); Refine() tests segments again.
  std::map<std::pair<int64_t, int64_t>, Tested> tested_;
};

}  // namespace

std::vector<ChangePoint> FindChangePoints(absl::Span<const double> values,
                                          const ChangePointOptions& options) {
  CHECK(options.level > 0 && options.level < 1) << options.level;
  CHECK(options.min_segment >= 2) << options.min_segment;
  for (const double value : values) CHECK(std::isfinite(value)) << value;
  const auto count = static_cast<int64_t>(values.size());
  Search search(values, options);
  std::vector<int64_t> changes;
  search.Divide(0, count, changes);
  std::sort(changes.begin(), changes.end());
  std::vector<double> p_values;
  // Usually converges after one or two rounds. The limit is needed because two
  // equally good positions could alternate.
  for (int round = 0; round < 5 && search.Refine(changes, p_values); ++round) {
  }
  std::vector<ChangePoint> result;
  const auto level = [&](int64_t first, int64_t end) {
    return Percentile(values.subspan(static_cast<size_t>(first),
                                     static_cast<size_t>(end - first)),
                      50);
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    const int64_t first = i == 0 ? 0 : changes[i - 1];
    const int64_t end = i + 1 == changes.size() ? count : changes[i + 1];
    result.push_back({changes[i], level(first, changes[i]),
                      level(changes[i], end), p_values[i]});
  }
  return result;
}

}  // namespace assay::stats
