#include "suites/tune/replay/replay.h"

#include <vector>

#include "runtime/base/clock.h"
#include "runtime/base/random.h"

namespace assay::suites {

ReplayResult Replay(const MeasuredSpace& measured, int64_t trials,
                    uint64_t seed, tune::Tuner* tuner) {
  const double best = measured.Best().value();
  ReplayResult result;
  Rng rng(seed);
  Clock& clock = *Clock::Monotonic();
  int64_t nanos = 0;
  while (tuner->num_results() < trials) {
    const int64_t before = clock.NowNanos();
    const std::vector<int64_t> points = tuner->Next(1);
    nanos += clock.NowNanos() - before;
    if (points.empty()) break;
    tuner->Update({points[0], measured.Trial(points[0], rng)});
    const std::optional<tune::Measured> fastest = tuner->best();
    if (!fastest.has_value()) continue;
    result.share = best / measured.Time(fastest->point).value();
    if (!result.trials.has_value() && result.share >= kGoodShare) {
      result.trials = tuner->num_results();
    }
  }
  result.tuner_seconds = static_cast<double>(nanos) * 1e-9;
  return result;
}

}  // namespace assay::suites
