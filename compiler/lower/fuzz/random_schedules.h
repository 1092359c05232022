// Random tensor programs (random_programs.h) with random legal schedules, for
// fuzz tests of lowering and of the compilation phases after lowering.
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
  // The steps are legal, and Validate() succeeds after they are applied.
  std::vector<schedule::Step> steps;
  std::vector<NDArray> values;  // the value of each input

  // Creates a schedule of `outputs` to which none of `steps` has been applied.
  // It contains the intrinsics to which the steps may refer.
  schedule::Schedule NewSchedule() const;
};

// Returns the case for `seed` and `round`. The random numbers of a round do not
// depend on other rounds, so a single round can be repeated.
RandomCase MakeRandomCase(uint64_t seed, int round);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_FUZZ_RANDOM_SCHEDULES_H_
