// PairedTest: from pairs of times of two programs, measured in turns, to a
// verdict, as soon as the samples allow one.
//
// A sample is log(new / base) of two times taken side by side
// (block_design.h). What moves both alike (clock rate, heat, a neighbour)
// cancels within the pair; the median over pairs is the change, and what is
// said of it are the order statistics of median_sequence.h, which may be looked
// at after every block. With `margin` and `level` of the options and the
// interval [lower, upper] of the change:
//
//   equivalent    the interval lies inside the margin, and a change as large as
//                 the margin would have been seen: detectable <= margin
//   regressed     the interval lies above 0 and reaches beyond the margin
//   improved      the interval lies below 0 and reaches beyond the margin
//   inconclusive  neither. So far, if there is budget left; final, if not
//
// An improvement is final only once a change as large as the margin would have
// been seen, for a gate passes nothing less (MayPass).
//
// An alarm takes more than the interval: an e-value of `log_e_alarm`. Whatever
// the noise, an unchanged program is called regressed or improved with
// probability 2 exp(-log_e_alarm) at most, 0.5 % by default, and one that
// differs by more than the margin is called equivalent with probability
// (1 - level) / 2 at most, over the whole run, however often it was looked at.
// A change between 0 and the margin may rightly be called either. What this
// rests on, and what not, is in reports/docs/verdict.md.
//
// `detectable` is the smallest change that a run of so many samples that
// scatter like these calls different from 0 in 80 % of cases. It comes from the
// order statistics too: a shift d is seen if it lifts the k-th smallest sample
// above 0. That one is a Beta(k, n + 1 - k) quantile of the noise, so d is the
// distance from the median to the sample at the 20 % quantile of that
// distribution, of the two sides the larger, rounded outwards to the next
// sample of another value: a change within a tick of the clock is not seen.
// Infinite where no interval is, and where all samples are equal.
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
  // The largest relative change that does not matter; > 0.
  double margin = 0.01;
  double level = 0.99;
  double concentration = kConcentration;
  // The evidence, log e, that it takes to call a cell regressed or improved:
  // log 400, or LogEValueForOneOf() where the cell is one of a suite. Below
  // log(2 / (1 - level)) it is the interval that decides.
  double log_e_alarm = 5.9915;
};

// Whether more samples may be had.
enum class Budget { kLeft, kSpent };

// All changes are relative: 0.02 is 2 % slower than the base.
struct PairedVerdict {
  Verdict verdict = Verdict::kInconclusive;
  // No more samples are needed, or none may be had.
  bool final = false;
  int64_t count = 0;  // of pairs
  double change = 0;
  double lower = -1;
  double upper = std::numeric_limits<double>::infinity();
  double detectable = std::numeric_limits<double>::infinity();
  // Against "not slower" and "not faster", for false_discovery.h.
  double log_e_slower = 0;
  double log_e_faster = 0;
  // About as many more pairs until there is a verdict, if change and scatter
  // stay what they are; 0 if final. An estimate, good for sharing out a budget.
  double pairs_to_go = 0;
};

class PairedTest {
 public:
  explicit PairedTest(const PairedOptions& options);

  // log(new / base) of one pair; a number.
  void Add(double log_ratio);

  int64_t count() const { return ratios_.count(); }

  // Best asked at the end of a block. The verdict of the first final answer is
  // the one that the guarantees are about.
  PairedVerdict Judge(Budget budget) const;

 private:
  double Detectable() const;
  double PairsToGo(const MedianInterval& interval, double detectable) const;

  PairedOptions options_;
  double margin_;  // as a log-ratio
  MedianSequence ratios_;
};

// Judges samples that were kept, as if they had come in now.
PairedVerdict JudgePairs(absl::Span<const double> log_ratios,
                         const PairedOptions& options, Budget budget);

// Whether a gate that must not let through a slow-down of `threshold` may pass
// a cell: it was called equivalent or improved, its interval does not reach
// beyond the threshold, and a slow-down of that size would have been seen.
bool MayPass(const PairedVerdict& cell, double threshold);

// `2.1 % slower [+1.2 %, +3.0 %], 240 pairs; a change of 0.9 % would be seen`.
std::string Describe(const PairedVerdict& cell);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_PAIRED_VERDICT_H_
