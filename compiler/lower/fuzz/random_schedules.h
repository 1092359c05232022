// Random tensor programs (random_programs.h) under random legal schedules, for
// fuzzing what comes after them.
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
  std::vector<schedule::Step> steps;  // legal, and valid as a whole
  std::vector<NDArray> values;        // one per input

  // A schedule of the outputs that knows the intrinsics steps may name.
  schedule::Schedule NewSchedule() const;
};

// Cases with other numbers do not depend on one another.
RandomCase MakeRandomCase(uint64_t seed, int round);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_FUZZ_RANDOM_SCHEDULES_H_
