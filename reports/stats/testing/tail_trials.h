// RunTailTrials: Monte Carlo simulation of TailSequence with synthetic noise,
// for tests and for the program `simulate`.
#ifndef ASSAY_REPORTS_STATS_TESTING_TAIL_TRIALS_H_
#define ASSAY_REPORTS_STATS_TESTING_TAIL_TRIALS_H_

#include <cstdint>

#include "reports/stats/testing/noise.h"

namespace assay::stats {

struct TailExperiment {
  Noise noise;
  // This share of the inferences of the new program takes longer by the factor
  // `slower`.
  double share = 0;
  double slower = 1;
  int64_t loads = 60;
  int64_t rounds_per_load = 8;
  double e_alarm = 400;
  int64_t trials = 100;
  uint64_t seed = 1;
};

// Returns the number of trials in which the evidence for a slower tail reaches
// `e_alarm` after any of the loads.
int64_t RunTailTrials(const TailExperiment& experiment);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_TESTING_TAIL_TRIALS_H_
