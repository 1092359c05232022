// PairedTest: a sequential test of whether a new program is slower or faster
// than a base program, from measurements of both in alternation.
//
// A sample is log(new / base). In comparisons of programs, it is the
// observation of one load (suites/comparison/paired_loads.h). The median of the
// samples estimates the change. Its confidence sequence (median_sequence.h) may
// be examined after every sample. Let [lower, upper] be the confidence interval
// of the change. The verdict is
//
//   equivalent    if the interval lies within [-margin, margin] and detectable
//                 <= margin
//   regressed     if lower > 0, the interval extends beyond the margin, and the
//                 log e-value against "not slower" is at least log_e_alarm
//   improved      if upper < 0, the interval extends beyond the margin, and the
//                 log e-value against "not faster" is at least log_e_alarm
//   inconclusive  otherwise
//
// If no more samples can be taken (Budget::kSpent), every verdict is final.
// Otherwise, `equivalent` and `regressed` are final. `improved` is final only
// if detectable <= margin, because MayPass() rejects a cell whose `detectable`
// is too large. `inconclusive` is not final.
//
// Error probabilities over the whole run, for any number of interim analyses:
//   - An unchanged program gets the verdict `regressed` or `improved` with
//     probability at most 2 exp(-log_e_alarm), which is 0.5 % by default
//     (type I error).
//   - A program that differs by more than the margin gets the verdict
//     `equivalent` with probability at most (1 - level) / 2.
// If the true change is smaller than the margin but not 0, both `equivalent`
// and the verdict in the direction of the change are correct.
// reports/docs/verdict.md describes the assumptions and limits.
//
// `detectable` is the minimum detectable change: the smallest change that
// differs significantly from 0 with power 80 %, for the number and the noise of
// the samples so far. It is computed from order statistics. A shift d is
// detected if it moves the k-th smallest sample above 0, where k is the rank of
// `lower`. The probability that the noise is below the k-th smallest of n
// samples has the distribution Beta(k, n + 1 - k). Let q be the 20 % quantile
// of this distribution. d is the distance between the median and the q-quantile
// of the samples, rounded up to the next distinct sample value, because a
// change below the clock resolution is not detectable. d is computed in this
// way on both sides of the median, and the larger value is used.
// `detectable` is infinite if there is no interval or if all samples are equal.
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
  // Equivalence margin: the largest relative change that is considered
  // irrelevant. Must be positive.
  double margin = 0.01;
  // Confidence level of the interval.
  double level = 0.99;
  // Parameter `a` of the sign process (sign_process.h).
  double concentration = kConcentration;
  // The log e-value that is required for the verdicts regressed and improved.
  // The default is log 400. For a cell of a suite, use LogEValueForOneOf()
  // (false_discovery.h).
  // Values below log(2 / (1 - level)) have no effect: if the interval excludes
  // 0, the e-value is at least 2 / (1 - level) in any case.
  double log_e_alarm = 5.9915;
};

// States whether more samples can be taken (kLeft) or not (kSpent).
enum class Budget { kLeft, kSpent };

// The result of a PairedTest. All changes are relative: 0.02 means that the new
// program is 2 % slower than the base.
struct PairedVerdict {
  Verdict verdict = Verdict::kInconclusive;
  // True if no more samples are needed or available.
  bool final = false;
  int64_t count = 0;  // number of samples, i.e. of loads
  // Estimated change, and the bounds of its confidence interval.
  double change = 0;
  double lower = -1;
  double upper = std::numeric_limits<double>::infinity();
  // Minimum detectable change.
  double detectable = std::numeric_limits<double>::infinity();
  // log e-values against the null hypotheses "not slower" and "not faster".
  // Discoveries() (false_discovery.h) uses them.
  double log_e_slower = 0;
  double log_e_faster = 0;
  // Estimated number of further loads until the verdict is final. It is used to
  // allocate a budget. It is 0 if the verdict is final or there are no loads.
  double loads_to_go = 0;
};

class PairedTest {
 public:
  explicit PairedTest(const PairedOptions& options);

  // Adds log(new / base) of one pair. CHECK-fails if it is NaN.
  void Add(double log_ratio);

  int64_t count() const { return ratios_.count(); }

  // Returns the current verdict. May be called after every sample. The error
  // probabilities above hold for the first final verdict.
  PairedVerdict Judge(Budget budget) const;

 private:
  double Detectable() const;
  double LoadsToGo(const MedianInterval& interval, double detectable) const;

  PairedOptions options_;
  double margin_;  // the margin as a log ratio
  MedianSequence ratios_;
};

// Returns the verdict of a PairedTest to which all `log_ratios` were added.
PairedVerdict JudgePairs(absl::Span<const double> log_ratios,
                         const PairedOptions& options, Budget budget);

// Returns true if a gate that must reject slow-downs of `threshold` or more may
// accept the cell, i.e. if
//   - the verdict is equivalent or improved,
//   - upper <= threshold, and
//   - detectable <= threshold.
bool MayPass(const PairedVerdict& cell, double threshold);

// Returns one sentence that explains the verdict, for example
// `2.1 % slower [+1.2 %, +3.0 %], 40 loads; a change of 0.9 % would be seen`.
std::string Describe(const PairedVerdict& cell);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_PAIRED_VERDICT_H_
