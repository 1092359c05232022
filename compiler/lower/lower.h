// Lowers a tensor expression and its schedule to a loop program.
//
//   absl::StatusOr<tir::Function> loops =
//       Lower(schedule, "conv", {data, weight}, {out});
//   absl::StatusOr<tir::Function> ready = LowerLoops(*loops);
//
// The steps: validate the schedule, infer bounds (bound_inference.h), generate
// loops (loop_nest.h), interleave virtual threads (virtual_threads.h),
// simplify. Whether a loop is parallel, vectorized or unrolled is recorded in
// the loop; the passes of tir implement it. The threads of a GPU are recorded
// in pragmas (tir/thread_pragma.h); the code generator implements or rejects
// them.
#ifndef ASSAY_COMPILER_LOWER_LOWER_H_
#define ASSAY_COMPILER_LOWER_LOWER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/tensor.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// The function computes `outputs`, the outputs of the schedule in any order,
// from `inputs`, which are placeholders and include all that the schedule
// reads. Loads and stores have one index per dimension. Fails with the first
// error of the schedule, with an error of Schedule::Validate(), for parameters
// that do not match the schedule, and if 32-bit indices do not suffice.
absl::StatusOr<tir::Function> Lower(const schedule::Schedule& schedule,
                                    std::string name,
                                    const std::vector<te::Tensor>& inputs,
                                    const std::vector<te::Tensor>& outputs);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_LOWER_H_
