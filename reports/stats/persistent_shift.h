// FindPersistentShifts: an alert for permanent changes of the level of a series
// with one value per night, whose values may be autocorrelated.
//
// People are told about each shift, so the function makes few errors and finds
// only large changes that last for about two weeks: a thousand series give less
// than one false alert in ten months, also if the lag-1 autocorrelation is 0.8.
// reports/docs/history.md has the measured rates of both kinds. Tests that
// assume exchangeable values, for example permutation tests, are wrong several
// times as often as they promise if nights have an autocorrelation of 0.5.
//
// The test of one night compares the last `recent` values (R) with the
// `max_before` values before them (B), or with all values since the last shift
// if they are fewer, but at least `min_before`:
//   1. The difference is that of the medians of R and B. The medians ignore
//      single deviating nights: a shift must last for more than recent / 2
//      nights.
//   2. The residuals are the differences from the median of the own part. Their
//      scale s is the largest of 1.4826 times the median of the absolute
//      residuals, 1.2533 times their mean, and `resolution`. Residuals beyond
//      3 s are set to 3 s.
//   3. r is the lag-1 autocorrelation of the n residuals. Its estimate is
//      biased downwards, by about (1 + 3 r) / n, because the medians are
//      estimated from the same values (Marriott and Pope, "Bias in the
//      estimation of autocorrelations", Biometrika 41, 1954). The bias is
//      removed, and one standard error sqrt((1 - r^2) / n) is added, because
//      too small an r gives too many alerts.
//   4. The variance of a mean of m values of an AR(1) process with variance v
//      and autocorrelation r is
//        v / m * ((1 + r) / (1 - r) - 2 r (1 - r^m) / (m (1 - r)^2)).
//      v is the mean square of the residuals, divided by the share that is
//      expected to remain after the medians were subtracted.
//   5. A shift is found if the difference exceeds `threshold` standard errors.
//      The threshold is far above a normal quantile, because v and r are
//      estimated from few values. It was chosen by simulation.
// After a shift, the search continues with the values of the new level.
#ifndef ASSAY_REPORTS_STATS_PERSISTENT_SHIFT_H_
#define ASSAY_REPORTS_STATS_PERSISTENT_SHIFT_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::stats {

struct ShiftOptions {
  // Number of the last values that are compared with those before.
  int64_t recent = 14;
  int64_t min_before = 45;
  int64_t max_before = 60;
  // Difference of the levels in standard errors for which a shift is found.
  double threshold = 10;
  // Smallest standard deviation that is assumed, in units of the values. For
  // logarithms of times, 0.001 is 0.1 %.
  double resolution = 0.001;
  // If the values before an index were tested already: this index, and that of
  // the last shift that was found then, where the level of these nights began.
  int64_t first_tested = 0;
  int64_t level_start = 0;
};

struct Shift {
  // Estimated index of the first value of the new level.
  int64_t index = 0;
  // Index of the value with which the shift was found: the night of the alert.
  int64_t found = 0;
  // Medians of the values before `index`, and from `index` to `found`.
  double before = 0;
  double after = 0;
  // The difference in standard errors, and the autocorrelation of step 3.
  double errors = 0;
  double correlation = 0;
};

// Returns the shifts that were found by testing every night, from the oldest to
// the newest, in this order. A later value never changes a shift that was
// found. `values` must be finite.
std::vector<Shift> FindPersistentShifts(absl::Span<const double> values,
                                        const ShiftOptions& options = {});

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_PERSISTENT_SHIFT_H_
