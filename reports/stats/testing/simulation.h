// Monte Carlo simulations of paired measurements with synthetic noise, for
// tests and for the program `simulate`.
#ifndef ASSAY_REPORTS_STATS_TESTING_SIMULATION_H_
#define ASSAY_REPORTS_STATS_TESTING_SIMULATION_H_

#include <cstdint>
#include <vector>

#include "reports/stats/paired_verdict.h"
#include "reports/stats/testing/noise.h"

namespace assay::stats {

struct Experiment {
  Noise noise;
  double change = 0;  // relative change of the new program
  PairedOptions options;
  int64_t max_pairs = 750;  // budget; even
  int64_t trials = 1000;
  uint64_t seed = 1;
};

struct Tally {
  int64_t trials = 0;
  int64_t regressed = 0;
  int64_t improved = 0;
  int64_t equivalent = 0;
  int64_t inconclusive = 0;
  // Number of trials whose final interval covered the true change.
  int64_t covered = 0;
  // Number of pairs of each trial, in ascending order.
  std::vector<int64_t> pairs;
};

// Runs trials that stop at the first final verdict.
Tally RunTrials(const Experiment& experiment);

// Numbers of trials, all run up to the budget, whose intervals cover the true
// change, and mean widths of the intervals.
struct Coverage {
  int64_t trials = 0;
  // SignInterval() of the first `fixed_pairs` pairs.
  int64_t fixed = 0;
  double fixed_width = 0;
  // MedianSequence at the same time.
  int64_t sequence = 0;
  double sequence_width = 0;
  // MedianSequence after every block up to the budget.
  int64_t always = 0;
};
Coverage RunCoverage(const Experiment& experiment, int64_t fixed_pairs);

// The minimum detectable change reported for an unchanged program, and the
// numbers of trials in which a change of that size is significant when the
// budget is spent, and at any time.
struct Detection {
  int64_t trials = 0;
  double claimed = 0;  // median
  double claimed_p10 = 0;
  double claimed_p90 = 0;
  int64_t seen_at_end = 0;
  int64_t seen_ever = 0;
};
Detection RunDetection(const Experiment& experiment);

// Nightly runs of a suite. Each cell is measured until its verdict is final at
// the evidence that a single cell needs under the false discovery rate.
struct Nights {
  int64_t nights = 0;
  int64_t with_alert = 0;
  // Nights with an alert if the false discovery rate were not controlled.
  int64_t with_regressed = 0;
  int64_t alerts = 0;
  int64_t false_alerts = 0;
  int64_t changed_cells = 0;
};
Nights RunNights(const Experiment& experiment, int64_t nights, int64_t cells,
                 int64_t changed_cells, double fdr);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_TESTING_SIMULATION_H_
