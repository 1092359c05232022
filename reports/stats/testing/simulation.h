// Monte Carlo simulations of paired measurements with synthetic noise, for
// tests and for the program `simulate`.
#ifndef ASSAY_REPORTS_STATS_TESTING_SIMULATION_H_
#define ASSAY_REPORTS_STATS_TESTING_SIMULATION_H_

#include <cstdint>
#include <vector>

#include "reports/stats/paired_judge.h"
#include "reports/stats/testing/noise.h"

namespace assay::stats {

// Parameters of a simulation.
struct Experiment {
  Noise noise;
  double change = 0;  // relative change of the new program
  PairedOptions options;
  int64_t max_loads = 375;  // budget per trial
  int64_t rounds_per_load = 8;
  int64_t trials = 1000;
  uint64_t seed = 1;
};

// Results of RunTrials().
struct Tally {
  int64_t trials = 0;
  // Numbers of trials with each final verdict.
  int64_t regressed = 0;
  int64_t improved = 0;
  int64_t equivalent = 0;
  int64_t inconclusive = 0;
  // Number of trials whose final interval covered the true change.
  int64_t covered = 0;
  // Number of loads that each trial measured, in ascending order.
  std::vector<int64_t> loads;
};

// Runs `experiment.trials` trials. Each trial stops at the first final verdict.
Tally RunTrials(const Experiment& experiment);

// Results of RunCoverage(). An interval is correct if it covers the true
// change.
struct Coverage {
  int64_t trials = 0;
  // The interval is SignInterval() of the first `fixed_loads` loads.
  int64_t fixed = 0;
  double fixed_width = 0;
  // Number of trials in which the interval of MedianSequence after
  // `fixed_loads` loads is correct, and the mean width of these intervals over
  // all trials.
  int64_t sequence = 0;
  double sequence_width = 0;
  // All intervals of MedianSequence, one after every load, cover the true
  // change.
  int64_t always = 0;
};
// Runs `experiment.trials` trials. Each trial measures until the budget is
// spent.
Coverage RunCoverage(const Experiment& experiment, int64_t fixed_loads);

// Results of RunDetection().
struct Detection {
  // Number of trials in each of the two parts of the simulation.
  int64_t trials = 0;
  // In each trial of the first part, the minimum detectable change is computed
  // for an unchanged program when the budget is spent. `claimed` is the median
  // of these changes. The other two fields are their 10th and 90th percentiles.
  double claimed = 0;
  double claimed_p10 = 0;
  double claimed_p90 = 0;
  // In the second part, the program has the change `claimed`. seen_at_end is
  // the number of trials in which it is significantly slower after the last
  // block. seen_ever is the number of trials in which it is significantly
  // slower after at least one block.
  int64_t seen_at_end = 0;
  int64_t seen_ever = 0;
};
// Simulates an unchanged program in the first part. In the second part,
// simulates a program that is slower by Detection::claimed of the first part.
// `experiment.change` is not used.
Detection RunDetection(const Experiment& experiment);

// Results of RunNights(). An alert is a cell that Discoveries() reports.
struct Nights {
  int64_t nights = 0;
  int64_t with_alert = 0;  // number of nights with at least one alert
  // The verdict `regressed` has two conditions, one on the interval and one on
  // log_e_alarm (paired_verdict.h). This is the number of nights in which the
  // interval of at least one cell met the first condition after some block.
  int64_t with_regressed = 0;
  // Number of alerts in all nights.
  int64_t alerts = 0;
  // Number of these alerts that are for unchanged cells.
  int64_t false_alerts = 0;
  // Number of changed cells in all nights.
  int64_t changed_cells = 0;
};
// Simulates nightly runs of a suite of `cells` cells, of which the first
// `changed_cells` have the change `experiment.change`. Each cell is measured
// until its verdict is final. `log_e_alarm` is LogEValueForOneOf(cells, fdr).
// Then Discoveries() at the false discovery rate `fdr` decides which cells are
// reported as slower.
Nights RunNights(const Experiment& experiment, int64_t nights, int64_t cells,
                 int64_t changed_cells, double fdr);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_TESTING_SIMULATION_H_
