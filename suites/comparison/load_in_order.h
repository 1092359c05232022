// LoadInOrder: loads two programs for a comparison, in one session if possible,
// in random order and at random addresses (paired_loads.h).
#ifndef ASSAY_SUITES_COMPARISON_LOAD_IN_ORDER_H_
#define ASSAY_SUITES_COMPARISON_LOAD_IN_ORDER_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {

struct PairPlacement {
  // Seed of the addresses of code and data, not 0.
  uint64_t seed = 0;
  // If true, `run` is loaded before `base`. The order matters because the
  // program that is loaded second shares what it can with the first.
  bool run_first = false;
};

// Two programs in one session, or in a session each.
template <typename Session>
struct LoadedPair {
  std::shared_ptr<Session> base, run;
  int base_program = 0, run_program = 0;
};

// Loads both artifacts in the order of `placement`, in one session if
// `*together` is true. `load(artifacts, is_run)` loads one artifact or two;
// `is_run` is true if it loads only `run`. If `load` returns Unimplemented for
// two artifacts, sets `*together` to false and loads each in its own session.
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

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_LOAD_IN_ORDER_H_
