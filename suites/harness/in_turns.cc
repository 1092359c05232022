#include "suites/harness/in_turns.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<std::vector<std::vector<double>>> MeasureInTurns(
    absl::Span<Session* const> sessions, const devices::TimingPolicy& timing,
    uint64_t seed, const std::function<void()>& settle) {
  devices::TimingPolicy one = timing;
  one.set_repeat(1);
  std::vector<std::vector<double>> samples_ms(sessions.size());
  std::vector<size_t> order(sessions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  Rng rng(SeedFor(seed, "in turns"));
  for (int round = 0; round < timing.repeat(); ++round) {
    // The first of each warms up as long as it was told.
    one.set_warmup(round == 0 ? std::max<int64_t>(1, timing.warmup()) : 1);
    for (size_t i = order.size(); i > 1; --i) {
      const auto last = static_cast<int64_t>(i - 1);
      std::swap(order[i - 1], order[rng.UniformInt(0, last)]);
    }
    for (Session* session : sessions) {
      ASSAY_RETURN_IF_ERROR(session->BeginRound(round));
    }
    for (const size_t turn : order) {
      if (settle != nullptr) settle();
      ASSAY_ASSIGN_OR_RETURN(const Measurement sample,
                             sessions[turn]->Measure(one));
      samples_ms[turn].insert(samples_ms[turn].end(), sample.samples_ms.begin(),
                              sample.samples_ms.end());
    }
  }
  return samples_ms;
}

}  // namespace assay::suites
