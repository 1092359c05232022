#include "reports/stats/testing/tail_trials.h"

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reports/stats/block_design.h"
#include "reports/stats/tail_sequence.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

using Times = std::vector<double>;

class Loads {
 public:
  Loads(const TailExperiment& experiment, uint64_t seed)
      : experiment_(experiment),
        source_(experiment.noise, seed),
        seed_(seed),
        rng_(SeedFor(seed, "tail")) {}

  // Adds the inferences of both programs in the next load.
  void AddTo(TailSequence* tail) {
    double level[2];
    for (double& x : level) {
      x = experiment_.noise.placement *
          static_cast<double>(rng_.NormalFloat(0, 1));
    }
    Times times[2];
    while (static_cast<int64_t>(times[0].size()) <
           experiment_.rounds_per_load) {
      for (const std::vector<int>& round : BlockDesign(2, seed_, block_)) {
        for (size_t place = 0; place < 2; ++place) {
          const int program = round[place];
          double time = std::exp(source_.Next(level[program], place == 1));
          if (program == 1 && rng_.UniformFloat(0, 1) < experiment_.share) {
            time *= experiment_.slower;
          }
          times[program].push_back(time);
        }
      }
      ++block_;
    }
    tail->Add(times[0], times[1]);
  }

 private:
  const TailExperiment& experiment_;
  NoiseSource source_;
  const uint64_t seed_;
  Rng rng_;
  int64_t block_ = 0;
};

}  // namespace

int64_t RunTailTrials(const TailExperiment& experiment) {
  int64_t alarms = 0;
  for (int64_t trial = 0; trial < experiment.trials; ++trial) {
    Loads source(experiment, SeedFor(experiment.seed, absl::StrCat(trial)));
    TailSequence tail;
    for (int64_t load = 0; load < experiment.loads; ++load) {
      source.AddTo(&tail);
      if (tail.Evidence().log_e < std::log(experiment.e_alarm)) continue;
      ++alarms;
      break;
    }
  }
  return alarms;
}

}  // namespace assay::stats
