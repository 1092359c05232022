#include "suites/comparison/runtime_speed.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/stats/summary.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/load_in_order.h"
#include "suites/comparison/paired_loads.h"
#include "suites/sampling/sampler.h"

namespace assay::suites {
namespace {

// What is allocated before a runtime is loaded, so that the runtime gets other
// addresses in each load.
constexpr int64_t kMaxShiftBytes = 1 << 20;

struct BothLoaded {
  std::unique_ptr<char[]> shift;
  LoadedRuntime ours, other;
};

// Loads both runtimes in the order of `placement`.
absl::StatusOr<ProgramPair> LoadBoth(const RuntimePair& runtimes,
                                     const PairPlacement& placement) {
  Rng rng(placement.seed);
  auto both = std::make_shared<BothLoaded>();
  both->shift.reset(
      new char[static_cast<size_t>(rng.UniformInt(1, kMaxShiftBytes))]);
  for (const bool is_first : {true, false}) {
    const bool is_ours = is_first == placement.run_first;
    ASSAY_ASSIGN_OR_RETURN(
        (is_ours ? both->ours : both->other),
        (is_ours ? runtimes.ours : runtimes.other)(rng.NextU64() | 1));
  }
  ProgramPair pair;
  pair.base = {"other", both->other.session.get()};
  pair.run = {"ours", both->ours.session.get()};
  pair.by_call = false;
  pair.inputs = runtimes.inputs;
  pair.owner = both;
  // Neither runtime always gets its inputs first.
  pair.begin_round = [both, rng](int64_t round) mutable -> absl::Status {
    const bool ours_first = rng.UniformInt(0, 1) == 1;
    ASSAY_RETURN_IF_ERROR(
        (ours_first ? both->ours : both->other).begin_round(round));
    return (ours_first ? both->other : both->ours).begin_round(round);
  };
  return pair;
}

}  // namespace

RuntimeLoader OurLoader(const CheckedSession& session,
                        const runtime::Artifact& artifact,
                        runtime::Runner& runner) {
  return [&session, &artifact, &runner, digest = runtime::Digest(artifact)](
             uint64_t placement_seed) -> absl::StatusOr<LoadedRuntime> {
    runtime::LoadOptions options;
    options.placement_seed = placement_seed;
    options.artifact_digest = digest;
    ASSAY_ASSIGN_OR_RETURN(
        std::unique_ptr<CheckedSession> loaded,
        session.LoadForComparison({&artifact}, runner, std::move(options)));
    loaded->Expect(/*program=*/0, session.record());
    LoadedRuntime result;
    result.begin_round = [checked = loaded.get()](int64_t round) {
      return checked->BeginRound(round);
    };
    result.session = std::move(loaded);
    return result;
  };
}

LoadedRuntime WithExamples(std::unique_ptr<runtime::Session> session,
                           absl::Span<const Example> examples) {
  LoadedRuntime result;
  result.session = std::move(session);
  // As in CheckedSession, inputs that are set already are not set again.
  result.begin_round = [session = result.session.get(), examples,
                        current = std::optional<size_t>()](
                           int64_t round) mutable -> absl::Status {
    const size_t example = static_cast<size_t>(round) % examples.size();
    if (current == example) return absl::OkStatus();
    ASSAY_RETURN_IF_ERROR(session->SetInputs(examples[example].inputs));
    current = example;
    return absl::OkStatus();
  };
  return result;
}

absl::StatusOr<RuntimeSpeed> CompareRuntimes(const RuntimePair& runtimes,
                                             const RuntimeSpeedOptions& options,
                                             Clock* clock) {
  SamplingOptions sampling;
  sampling.seed = options.seed;
  sampling.settle = options.settle;
  // The sampler makes one warm-up run if a sample has so many runs, that is,
  // always.
  static_assert(kRuntimeWarmupRuns == 1);
  sampling.min_number_for_warmup = 1;
  const auto loader = [&runtimes](const PairPlacement& placement) {
    return LoadBoth(runtimes, placement);
  };
  PairedLoads loads(loader, std::move(sampling), clock);
  std::vector<double> typical[2], fastest[2];  // of ours, of the other runtime
  for (int64_t i = 0; i < options.loads; ++i) {
    const bool is_spent =
        static_cast<double>(loads.spent_nanos()) * 1e-9 > options.budget_s;
    if (is_spent && i >= kMinRuntimeLoads) break;
    ASSAY_RETURN_IF_ERROR(loads.RunLoad());
    const PairedLoads::Load& load = loads.loads().back();
    typical[0].push_back(load.run.typical_ns);
    typical[1].push_back(load.base.typical_ns);
    fastest[0].push_back(load.run.fastest_ns);
    fastest[1].push_back(load.base.fastest_ns);
  }
  RuntimeSpeed speed;
  speed.typical = stats::SpeedRatio(typical[0], typical[1]);
  speed.fastest = stats::SpeedRatio(fastest[0], fastest[1]);
  speed.ours_ns = stats::Percentile(typical[0], 50);
  speed.other_ns = stats::Percentile(typical[1], 50);
  speed.loads = static_cast<int64_t>(loads.loads().size());
  return speed;
}

}  // namespace assay::suites
