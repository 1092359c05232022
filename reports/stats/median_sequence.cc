#include "reports/stats/median_sequence.h"

#include <algorithm>
#include <cmath>

#include "runtime/base/check.h"

namespace assay::stats {

MedianSequence::MedianSequence(double level, double concentration)
    : level_(level),
      concentration_(concentration),
      log_e_(std::log(2 / (1 - level))) {
  CHECK(level > 0 && level < 1) << "level " << level;
  CHECK_GT(concentration, 0);
}

void MedianSequence::Add(double sample) {
  CHECK(!std::isnan(sample));
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), sample),
                 sample);
  // A further sample above m never decreases e, and one not above m never
  // increases it, so the critical count stays or increases by one.
  if (critical_ <= count() &&
      LogSignEValue(critical_, count(), concentration_) < log_e_) {
    ++critical_;
  }
}

int64_t MedianSequence::CountAbove(double m) const {
  return sorted_.end() - std::upper_bound(sorted_.begin(), sorted_.end(), m);
}

int64_t MedianSequence::CountBelow(double m) const {
  return std::lower_bound(sorted_.begin(), sorted_.end(), m) - sorted_.begin();
}

MedianInterval MedianSequence::Interval() const {
  CHECK(!sorted_.empty()) << "an interval from no samples";
  const size_t n = sorted_.size();
  MedianInterval result;
  result.count = count();
  result.median = (sorted_[(n - 1) / 2] + sorted_[n / 2]) / 2;
  result.coverage = level_;
  if (rank() > 0) {
    const size_t k = static_cast<size_t>(rank());
    result.lower = sorted_[k - 1];
    result.upper = sorted_[n - k];
  }
  return result;
}

}  // namespace assay::stats
