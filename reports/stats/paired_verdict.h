// PairedTest: a sequential test of whether a program is slower or faster than
// another one, from interleaved pairs of measurements.
//
// A sample is log(new / base) of two adjacent measurements (block_design.h).
// Disturbances that affect both (clock rate, heat, background load) cancel
// within the pair. The median over the pairs estimates the change; its
// confidence sequence (median_sequence.h) may be examined after every block.
// With `margin` and `level` of the options and the interval [lower, upper] of
// the change, the verdict is
//
//   equivalent    if the interval lies within the margin, and a change as large
//                 as the margin was detectable: detectable <= margin
//   regressed     if the interval lies above 0 and extends beyond the margin
//   improved      if the interval lies below 0 and extends beyond the margin
//   inconclusive  otherwise; final if the budget is spent
//
// An improvement is final only if a change as large as the margin was
// detectable, because a gate requires it (MayPass).
//
// `regressed` and `improved` also require the e-value `log_e_alarm`. Over the
// whole run and regardless of the number of interim analyses, an unchanged
// program is called regressed or improved with probability at most
// 2 exp(-log_e_alarm), 0.5 % by default (type I error), and a program that
// differs by more than the margin is called equivalent with probability at most
// (1 - level) / 2. For a change between 0 and the margin, both verdicts are
// correct. reports/docs/verdict.md states the assumptions and limits.
//
// `detectable` is the minimum detectable change: the smallest change that
// differs significantly from 0 with power 80 %, for this number of samples and
// this noise. It is also computed from order statistics: a shift d is detected
// if it lifts the k-th smallest sample above 0. The rank of that sample in the
// noise distribution has the distribution Beta(k, n + 1 - k), so d is the
// distance from the median to the sample at the 20 % quantile of it: the larger
// of both sides, rounded outwards to the next distinct sample value, since a
// change below the resolution of the clock is not detectable. It is infinite if
// there is no interval or if all samples are equal.
#ifndef ASSAY_REPORTS_STATS_PAIRED_VERDICT_H_
#define ASSAY_REPORTS_STATS_PAIRED_VERDICT_H_

#include <cstdint>
#include <limits>
#include <string>

#include "absl/types/span.h"
#include "reports/stats/median_sequence.h"
#include "reports/stats/sign_process.h"
#include "reports/stats/verdict.h"

namespace assay::stats {

struct PairedOptions {
  // Equivalence margin: the largest irrelevant relative change; > 0.
  double margin = 0.01;
  double level = 0.99;
  double concentration = kConcentration;
  // The log e-value required for regressed or improved: log 400, or
  // LogEValueForOneOf() for a cell of a suite. Values below
  // log(2 / (1 - level)) have no effect, because the interval implies them.
  double log_e_alarm = 5.9915;
};

// kLeft: more samples can be taken.
enum class Budget { kLeft, kSpent };

// All changes are relative: 0.02 is 2 % slower than the base.
struct PairedVerdict {
  Verdict verdict = Verdict::kInconclusive;
  // True if no more samples are needed or available.
  bool final = false;
  int64_t count = 0;  // number of pairs
  double change = 0;
  double lower = -1;
  double upper = std::numeric_limits<double>::infinity();
  double detectable = std::numeric_limits<double>::infinity();
  // log e-values against the null hypotheses "not slower" and "not faster", for
  // false_discovery.h.
  double log_e_slower = 0;
  double log_e_faster = 0;
  // Estimated number of further pairs until the verdict is final, for the
  // allocation of a budget; 0 if final.
  double pairs_to_go = 0;
};

class PairedTest {
 public:
  explicit PairedTest(const PairedOptions& options);

  // Adds log(new / base) of one pair. CHECK-fails if it is NaN.
  void Add(double log_ratio);

  int64_t count() const { return ratios_.count(); }

  // Returns the current verdict. Call it at the end of a block. The guarantees
  // hold for the first final verdict.
  PairedVerdict Judge(Budget budget) const;

 private:
  double Detectable() const;
  double PairsToGo(const MedianInterval& interval, double detectable) const;

  PairedOptions options_;
  double margin_;  // log ratio
  MedianSequence ratios_;
};

// Returns the verdict for stored samples.
PairedVerdict JudgePairs(absl::Span<const double> log_ratios,
                         const PairedOptions& options, Budget budget);

// Returns true if a gate that must reject a slow-down of `threshold` may pass
// the cell: its verdict is equivalent or improved, its interval does not exceed
// the threshold, and a change of that size was detectable.
bool MayPass(const PairedVerdict& cell, double threshold);

// `2.1 % slower [+1.2 %, +3.0 %], 240 pairs; a change of 0.9 % would be seen`.
std::string Describe(const PairedVerdict& cell);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_PAIRED_VERDICT_H_
