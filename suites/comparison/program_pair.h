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

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "suites/sampling/sampler.h"

namespace assay::suites {

struct ProgramPair {
  Contender base;
  Contender run;
  // Called before each round of samples; sets the inputs of the round. May be
  // null.
  std::function<absl::Status(int64_t round)> begin_round;
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

using PairLoader =
    std::function<absl::StatusOr<ProgramPair>(const PairPlacement&)>;

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_PROGRAM_PAIR_H_
