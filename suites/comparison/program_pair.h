// ProgramPair: two programs of one model that are compared, freshly loaded.
//
// The speed of a program depends on the addresses of its code and data by up to
// a few percent. A program that is loaded once has one draw of these addresses
// for all its samples, so a comparison must load both programs several times.
// A PairLoader is the function that does this.
#ifndef ASSAY_SUITES_COMPARISON_PROGRAM_PAIR_H_
#define ASSAY_SUITES_COMPARISON_PROGRAM_PAIR_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/random.h"
#include "suites/sampling/sampler.h"

namespace assay::suites {

struct ProgramPair {
  Contender base;
  Contender run;
  // Called before each round of samples; sets the inputs of the round. May be
  // null.
  std::function<absl::Status(int64_t round)> begin_round;
  // Number of different inputs that begin_round() sets in turn: rounds with the
  // same index modulo `inputs` have the same input.
  int64_t inputs = 1;
  // True if the runs of both programs are timed kernel call by kernel call.
  bool by_call = true;
  // 2 if each program has a process of its own.
  int processes = 1;
  // Keeps the sessions of both programs alive.
  std::shared_ptr<const void> owner;
};

struct PairPlacement {
  // Seed of the addresses of code and data, not 0.
  uint64_t seed = 0;
  // If true, the run is loaded before the base: what is loaded second shares
  // what it can with the first.
  bool run_first = false;
};

// Draws the placement of a load.
PairPlacement DrawPlacement(Rng& rng);

// Two programs in one session, or in a session each.
template <typename Session>
struct LoadedPair {
  std::shared_ptr<Session> base, run;
  int base_program = 0, run_program = 0;
};

// Loads both artifacts in the order of `placement`, in one session if
// `*together` is true. `load(artifacts, is_run)` loads one artifact or two;
// `is_run` is true for the run alone. If it returns Unimplemented for two
// artifacts, sets `*together` to false and loads them in a session each.
template <typename Session>
absl::StatusOr<LoadedPair<Session>> LoadInOrder(
    const runtime::Artifact* base, const runtime::Artifact* run,
    const PairPlacement& placement, bool* together,
    absl::FunctionRef<absl::StatusOr<std::unique_ptr<Session>>(
        absl::Span<const runtime::Artifact* const> artifacts, bool is_run)>
        load) {
  const runtime::Artifact* const first = placement.run_first ? run : base;
  const runtime::Artifact* const second = placement.run_first ? base : run;
  LoadedPair<Session> pair;
  if (*together) {
    auto both = load({first, second}, /*is_run=*/false);
    if (both.ok()) {
      pair.base = pair.run = *std::move(both);
      pair.base_program = placement.run_first ? 1 : 0;
      pair.run_program = 1 - pair.base_program;
      return pair;
    }
    if (!absl::IsUnimplemented(both.status())) return both.status();
    *together = false;
  }
  for (const runtime::Artifact* artifact : {first, second}) {
    const bool is_run = (artifact == first) == placement.run_first;
    auto one = load({artifact}, is_run);
    if (!one.ok()) return one.status();
    (is_run ? pair.run : pair.base) = *std::move(one);
  }
  return pair;
}

using PairLoader =
    std::function<absl::StatusOr<ProgramPair>(const PairPlacement&)>;

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_PROGRAM_PAIR_H_
