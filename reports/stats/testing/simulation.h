// Simulations of whole paired measurements on synthetic noise, for tests and
// for the program `simulate`.
#ifndef ASSAY_REPORTS_STATS_TESTING_SIMULATION_H_
#define ASSAY_REPORTS_STATS_TESTING_SIMULATION_H_

#include <cstdint>
#include <vector>

#include "reports/stats/paired_verdict.h"
#include "reports/stats/testing/noise.h"

namespace assay::stats {

struct Experiment {
  Noise noise;
  double change = 0;  // of the new program, relative
  PairedOptions options;
  int64_t most_pairs = 750;  // the budget; even
  int64_t trials = 1000;
  uint64_t seed = 1;
};

struct Tally {
  int64_t trials = 0;
  int64_t regressed = 0;
  int64_t improved = 0;
  int64_t equivalent = 0;
  int64_t inconclusive = 0;
  // Trials whose interval, when they ended, held the true change.
  int64_t covered = 0;
  // Pairs until the end, in ascending order.
  std::vector<int64_t> pairs;
};

// Judges after each block until the verdict is final.
Tally RunTrials(const Experiment& experiment);

// How often intervals cover the true change, of trials that are not stopped.
struct Coverage {
  int64_t trials = 0;
  // SignInterval() of the first `fixed_pairs` pairs, and its width.
  int64_t fixed = 0;
  double fixed_width = 0;  // mean
  // MedianSequence at the same moment.
  int64_t sequence = 0;
  double sequence_width = 0;
  // MedianSequence after every block up to the budget.
  int64_t always = 0;
};
Coverage RunCoverage(const Experiment& experiment, int64_t fixed_pairs);

// What an unchanged program's samples say would be seen, and how often a change
// of that size is seen by the end of the budget, at one look and at some look.
struct Detection {
  int64_t trials = 0;
  double claimed = 0;  // median
  double claimed_p10 = 0;
  double claimed_p90 = 0;
  int64_t seen_at_end = 0;
  int64_t seen_ever = 0;
};
Detection RunDetection(const Experiment& experiment);

// Nights of a suite, each cell measured until its verdict is final; a cell that
// is suspected is measured on until the false discovery rate allows to report
// it, or its budget is spent.
struct Nights {
  int64_t nights = 0;
  int64_t with_alert = 0;
  // Without control of false discoveries.
  int64_t with_regressed = 0;
  int64_t alerts = 0;
  int64_t false_alerts = 0;
  int64_t changed_cells = 0;
};
Nights RunNights(const Experiment& experiment, int64_t nights, int64_t cells,
                 int64_t changed_cells, double fdr);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_TESTING_SIMULATION_H_
