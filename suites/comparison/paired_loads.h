// PairedLoads: compares the speed of two programs over several loads.
//
// Each load is one observation of log(run / base). Both programs are loaded at
// new random addresses, in random order, and are measured in alternation
// (suites/sampling/sampler.h) for at least one block and as long as loading
// takes, and from the 21st load on for three times as long. The observation of
// a block is the mean of the log ratios of its rounds; the observation of a
// load is the median of the observations of its blocks.
//
// If both programs are the same, the observation of each load is above and
// below 0 with equal probability, whatever the noise of the machine and
// whatever the earlier loads were: all that tells the two programs apart within
// a load (which one is loaded first, the addresses, the order within each
// block) is drawn symmetrically. This makes the sign tests of reports/stats
// exact. It also means that a difference that is due to addresses changes from
// load to load and cannot look like a change of the program.
//
// A first load determines the number of runs per sample and is not counted.
#ifndef ASSAY_SUITES_COMPARISON_PAIRED_LOADS_H_
#define ASSAY_SUITES_COMPARISON_PAIRED_LOADS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/base/clock.h"
#include "suites/comparison/program_pair.h"
#include "suites/sampling/sampler.h"

namespace assay::suites {

class PairedLoads {
 public:
  // `sampling.begin_round` is replaced by that of each pair, and
  // `sampling.seed` is the seed of everything that is drawn.
  PairedLoads(PairLoader loader, SamplingOptions sampling, Clock* clock);

  // Loads both programs and measures them. Returns the first error.
  absl::Status RunLoad();

  // The observations, by load.
  const std::vector<double>& log_ratios() const { return log_ratios_; }
  // Nanoseconds per run of all samples, by round, and the number of rounds of
  // each load.
  const std::vector<double>& base_ns() const { return base_ns_; }
  const std::vector<double>& run_ns() const { return run_ns_; }
  const std::vector<int64_t>& rounds_per_load() const {
    return rounds_per_load_;
  }
  // Total time so far, including loading.
  int64_t spent_nanos() const { return spent_nanos_; }

 private:
  absl::Status ChooseNumber();

  const PairLoader loader_;
  SamplingOptions sampling_;
  Clock* const clock_;
  std::vector<double> log_ratios_;
  std::vector<double> base_ns_;
  std::vector<double> run_ns_;
  std::vector<int64_t> rounds_per_load_;
  int64_t spent_nanos_ = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_PAIRED_LOADS_H_
