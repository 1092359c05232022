#include "suites/harness/in_turns.h"

#include <algorithm>
#include <utility>

#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<MeasuredInTurns> MeasureInTurns(
    Session* ours, Session* reference, const devices::TimingPolicy& timing,
    uint64_t seed, const std::function<void()>& settle) {
  devices::TimingPolicy one = timing;
  one.set_repeat(1);
  MeasuredInTurns result;
  Rng rng(SeedFor(seed, "in turns"));
  for (int i = 0; i < timing.repeat(); ++i) {
    // The first of each warms up as long as it was told.
    one.set_warmup(i == 0 ? std::max<int64_t>(1, timing.warmup()) : 1);
    bool our_turn = rng.UniformInt(0, 1) == 0;
    for (int turn = 0; turn < 2; ++turn, our_turn = !our_turn) {
      if (settle != nullptr) settle();
      ASSAY_ASSIGN_OR_RETURN(Measurement sample,
                             (our_turn ? ours : reference)->Measure(one));
      Measurement& all = our_turn ? result.ours : result.reference;
      all.samples_ms.insert(all.samples_ms.end(), sample.samples_ms.begin(),
                            sample.samples_ms.end());
      all.outputs = std::move(sample.outputs);
    }
  }
  return result;
}

}  // namespace assay::suites
