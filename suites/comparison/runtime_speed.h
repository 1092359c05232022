// CompareRuntimes: how many times as fast one runtime runs a model as another.
//
// Both runtimes load the model several times, at other addresses each time and
// in random order, because the speed of a program depends on its addresses by
// up to a few percent (paired_loads.h). Within a load, runs of both alternate,
// with the same new input in each round (paired_loads.h). Whole runs are timed,
// because other runtimes do not time their kernel calls. Each load gives one
// ratio, and the result is the median of the loads with its 95 % interval
// (reports/stats/ratio.h).
//
// Before each sample a runtime runs the model kRuntimeWarmupRuns times. The
// conditions of both runtimes must be the same; this function does not check
// them (suites/references/parity.h). //suites:bias compares a runtime
// with itself in this way, and so measures by how much the comparison is wrong.
// To decide if a commit made a program slower, use run_to_verdict.h.
#ifndef ASSAY_SUITES_COMPARISON_RUNTIME_SPEED_H_
#define ASSAY_SUITES_COMPARISON_RUNTIME_SPEED_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reports/stats/ratio.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "runtime/measure/session.h"
#include "suites/correctness/checked_session.h"

namespace assay::suites {

// A model that is loaded in a runtime.
struct LoadedRuntime {
  std::unique_ptr<runtime::Session> session;
  // Sets the inputs of the example whose turn it is in a round.
  std::function<absl::Status(int64_t round)> begin_round;
};

// Loads the model. `placement_seed` is not 0; the addresses are drawn from it
// if the runtime allows that.
using RuntimeLoader =
    std::function<absl::StatusOr<LoadedRuntime>(uint64_t placement_seed)>;

// Returns a function that loads `artifact` with `runner`. `session` has the
// examples and the number of threads, and must have examined the artifact as
// its program 0. The timed outputs are checked; the first problem is in the
// record of `session`. All arguments must outlive the loaded sessions.
RuntimeLoader OurLoader(const CheckedSession& session,
                        const runtime::Artifact& artifact,
                        runtime::Runner& runner);

// Returns a runtime that is loaded as `session` and gets the inputs of the
// examples in turn. `examples` must outlive it.
LoadedRuntime WithExamples(std::unique_ptr<runtime::Session> session,
                           absl::Span<const Example> examples);

// The two runtimes. `inputs` is the number of examples.
struct RuntimePair {
  RuntimeLoader ours;
  RuntimeLoader other;
  int64_t inputs = 1;
};

constexpr int64_t kRuntimeWarmupRuns = 1;
// The least number of loads; with fewer, there is no interval.
constexpr int64_t kMinRuntimeLoads = 6;

struct RuntimeSpeedOptions {
  // Number of loads. If `budget_s` seconds are spent, fewer loads suffice, but
  // at least kMinRuntimeLoads.
  int64_t loads = 12;
  double budget_s = 30;
  uint64_t seed = 0;
  // SamplingOptions::settle: needed if the runtimes have several threads.
  std::function<void()> settle;
};

struct RuntimeSpeed {
  // Of the typical inferences, i.e. of the median time of a run in each load.
  stats::Ratio typical;
  // Of the fastest inferences, which hardly any disturbance reaches.
  stats::Ratio fastest;
  // Medians over the loads of the typical times, in nanoseconds.
  double ours_ns = 0;
  double other_ns = 0;
  int64_t loads = 0;
};

// Compares the runtimes. Returns the first error of a loader or a session.
absl::StatusOr<RuntimeSpeed> CompareRuntimes(const RuntimePair& runtimes,
                                             const RuntimeSpeedOptions& options,
                                             Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_RUNTIME_SPEED_H_
