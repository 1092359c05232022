#include "ci/bisect/search/search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::ci {
namespace {

// A culprit with this probability is worth a comparison with its predecessor.
// The errors of all answers before can make it no more probable, and another
// build would cost more than this comparison, which decides.
constexpr double kLikely = 0.9;

// A candidate that is built is measured if it splits off this much of the
// probability.
constexpr double kWorthMeasuring = 0.05;

// A smaller probability is due to rounding.
constexpr double kRounding = 1e-12;

// The search for the first culprit behind `lo`.
class Interval {
 public:
  Interval(int lo, int hi, Oracle& oracle, const SearchOptions& options)
      : lo_(lo),
        hi_(hi),
        max_error_(options.max_error),
        oracle_(oracle),
        probability_(hi - lo, 1.0),
        usable_(hi - lo - 1, true),
        built_(hi - lo - 1, false) {
    if (!options.weights.empty()) {
      std::copy(options.weights.begin() + lo, options.weights.begin() + hi,
                probability_.begin());
    }
    Normalize();
  }

  absl::StatusOr<Culprit> Find() {
    while (true) {
      ASSAY_RETURN_IF_ERROR(ProbeUntilDone());
      Culprit culprit = Range();
      ASSAY_ASSIGN_OR_RETURN(const Decision decision,
                             oracle_.Confirm(culprit.after, culprit.until));
      if (decision.answer == Answer::kUndecided) return culprit;
      if (decision.answer == Answer::kWorse) {
        // A culprit elsewhere would not make this range worse.
        if (!IsSame(confirmed_, culprit)) {
          WeighOthers(culprit.after, culprit.until,
                      decision.error / (1 - decision.error));
        }
        culprit.confirmed = true;
        culprit.error = ErrorOf(culprit);
        if (culprit.error <= max_error_ || likely_ >= 1 - max_error_) {
          return culprit;
        }
        likely_ = 1 - max_error_;
        confirmed_ = culprit;
        continue;
      }
      const double elsewhere = 1 - Probability(culprit.after, culprit.until);
      if (decision.error == 0 || elsewhere <= 0) return culprit;
      // The range that has been confirmed once is not confirmed again.
      if (IsSame(rejected_, culprit)) return culprit;
      rejected_ = culprit;
      Weigh(culprit.after, culprit.until,
            decision.error / (1 - decision.error));
    }
  }

 private:
  static bool IsSame(const std::optional<Culprit>& a, const Culprit& b) {
    return a.has_value() && a->after == b.after && a->until == b.until;
  }

  // The probability that the culprit is in (after, until].
  double Probability(int after, int until) const {
    return std::accumulate(probability_.begin() + (after - lo_),
                           probability_.begin() + (until - lo_), 0.0);
  }

  // Multiplies the odds of the candidates in (after, until] by `factor`.
  void Weigh(int after, int until, double factor) {
    for (int i = after; i < until; ++i) probability_[i - lo_] *= factor;
    Normalize();
  }

  // Multiplies the odds of all others by `factor`.
  void WeighOthers(int after, int until, double factor) {
    for (int i = lo_; i < hi_; ++i) {
      if (i < after || i >= until) probability_[i - lo_] *= factor;
    }
    Normalize();
  }

  double ErrorOf(const Culprit& range) const {
    return std::max(0.0, 1 - Probability(range.after, range.until));
  }

  void Normalize() {
    const double sum =
        std::accumulate(probability_.begin(), probability_.end(), 0.0);
    for (double& value : probability_) value /= sum;
  }

  // The most probable culprit.
  int Favourite() const {
    return lo_ + 1 +
           static_cast<int>(
               std::max_element(probability_.begin(), probability_.end()) -
               probability_.begin());
  }

  bool IsComparable(int candidate) const {
    return candidate == lo_ || candidate == hi_ || built_[candidate - lo_ - 1];
  }

  // Returns whether the culprit is in a range that no other candidate divides.
  // Weights alone decide nothing: both ends of a range have been compared.
  bool IsDecided() const {
    const Culprit range = Range();
    for (int i = range.after + 1; i < range.until; ++i) {
      if (usable_[i - lo_ - 1]) return false;
    }
    return Probability(range.after, range.until) >= likely_;
  }

  // The candidate that splits the probability best, of those that can be asked;
  // nullopt if none splits it.
  enum class Cost : uint8_t { kNothing, kMeasurement, kBuild };

  std::optional<int> BestProbe(Cost cost) {
    std::optional<int> best;
    double best_split =
        cost == Cost::kMeasurement ? kWorthMeasuring : kRounding;
    for (int candidate = lo_ + 1; candidate < hi_; ++candidate) {
      if (!usable_[candidate - lo_ - 1]) continue;
      if (cost == Cost::kNothing && !oracle_.IsKnown(lo_, candidate)) continue;
      if (cost == Cost::kMeasurement && !oracle_.IsBuilt(candidate)) continue;
      const double before = Probability(lo_, candidate);
      const double split = std::min(before, 1 - before);
      if (split > best_split) {
        best = candidate;
        best_split = split;
      }
    }
    return best;
  }

  absl::Status ProbeUntilDone() {
    while (!IsDecided()) {
      std::optional<int> probe = BestProbe(Cost::kNothing);
      if (!probe.has_value()) probe = BestProbe(Cost::kMeasurement);
      if (!probe.has_value()) probe = BestProbe(Cost::kBuild);
      if (!probe.has_value()) break;
      // Each answer is used once.
      usable_[*probe - lo_ - 1] = false;
      ASSAY_ASSIGN_OR_RETURN(const bool built, oracle_.Build(*probe));
      if (!built) continue;
      ASSAY_ASSIGN_OR_RETURN(const Decision decision,
                             oracle_.Compare(lo_, *probe));
      if (decision.answer == Answer::kUndecided) continue;
      built_[*probe - lo_ - 1] = true;
      const double factor = decision.error / (1 - decision.error);
      if (decision.answer == Answer::kWorse) {
        Weigh(*probe, hi_, factor);
      } else {
        Weigh(lo_, *probe, factor);
      }
    }
    return absl::OkStatus();
  }

  // The smallest range around the most probable candidate that contains the
  // culprit with sufficient probability and whose ends were compared.
  Culprit Range() const {
    Culprit range;
    range.until = Favourite();
    range.after = range.until - 1;
    while (!IsComparable(range.after)) --range.after;
    while (!IsComparable(range.until)) ++range.until;
    while (Probability(range.after, range.until) < likely_) {
      const double before =
          range.after > lo_ ? probability_[range.after - lo_ - 1] : -1;
      const double behind =
          range.until < hi_ ? probability_[range.until - lo_] : -1;
      if (before < 0 && behind < 0) break;
      if (before >= behind) {
        do --range.after;
        while (!IsComparable(range.after));
      } else {
        do ++range.until;
        while (!IsComparable(range.until));
      }
    }
    range.error = ErrorOf(range);
    return range;
  }

  const int lo_, hi_;
  const double max_error_;
  Oracle& oracle_;
  // The probability at which a culprit is compared with its predecessor. It
  // grows if the comparison leaves too much to others.
  double likely_ = kLikely;
  std::vector<double> probability_;  // of the candidates lo_ + 1 to hi_
  // These have an element for each of the candidates lo_ + 1 to hi_ - 1, which
  // is true if the candidate can still be asked (usable_), and if it was
  // compared with lo_ (built_).
  std::vector<bool> usable_, built_;
  std::optional<Culprit> rejected_, confirmed_;
};

}  // namespace

absl::StatusOr<std::vector<Culprit>> FindCulprits(
    int last, Oracle& oracle, const SearchOptions& options) {
  CHECK(options.weights.empty() ||
        static_cast<int>(options.weights.size()) == last);
  std::vector<Culprit> culprits;
  int lo = 0;
  while (lo < last && static_cast<int>(culprits.size()) < kMaxCulprits) {
    Interval interval(lo, last, oracle, options);
    ASSAY_ASSIGN_OR_RETURN(const Culprit culprit, interval.Find());
    culprits.push_back(culprit);
    lo = culprit.until;
    if (lo == last) break;
    ASSAY_ASSIGN_OR_RETURN(const Decision rest, oracle.Compare(lo, last));
    if (rest.answer != Answer::kWorse) break;
  }
  return culprits;
}

int ExpectedBuilds(int last) {
  return 2 + static_cast<int>(std::ceil(std::log2(std::max(last, 1))));
}

}  // namespace assay::ci
