// Random tensor programs (random_programs.h) with random legal schedules, for
// fuzz tests of lowering and later stages.
#ifndef ASSAY_COMPILER_LOWER_FUZZ_RANDOM_SCHEDULES_H_
#define ASSAY_COMPILER_LOWER_FUZZ_RANDOM_SCHEDULES_H_

#include <cstdint>
#include <vector>

#include "compiler/schedule/schedule.h"
#include "compiler/te/tensor.h"
#include "runtime/base/ndarray.h"

namespace assay::lower {

struct RandomCase {
  std::vector<te::Tensor> inputs, outputs;
  std::vector<schedule::Step> steps;  // legal, and Validate() succeeds
  std::vector<NDArray> values;        // one per input

  // A new schedule of the outputs, with the intrinsics that steps may refer to.
  schedule::Schedule NewSchedule() const;
};

// Cases of different rounds are independent.
RandomCase MakeRandomCase(uint64_t seed, int round);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_FUZZ_RANDOM_SCHEDULES_H_
