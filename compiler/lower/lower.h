// Lowers a tensor expression and its schedule to a loop program.
//
//   absl::StatusOr<tir::Function> loops =
//       Lower(schedule, "conv", {data, weight}, {out});
//   const tir::Function ready = tir::LowerLoops(*loops, target.kind());
//
// Lower
//   1. validates the schedule,
//   2. infers bounds (bound_inference.h),
//   3. generates loops (loop_nest.h),
//   4. interleaves virtual threads (virtual_threads.h), and
//   5. simplifies the program.
//
// Each loop records whether it is parallel, vectorized or unrolled; the passes
// of tir (LowerLoops) and the code generator implement these kinds of loops.
// The threads of a GPU are recorded in pragmas (tir/thread_pragma.h).
#ifndef ASSAY_COMPILER_LOWER_LOWER_H_
#define ASSAY_COMPILER_LOWER_LOWER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/tensor.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// Returns a function that computes `outputs` from `inputs`. `outputs` must be
// the outputs of the schedule, in any order. `inputs` must be placeholders and
// must include all placeholders that the schedule reads. In the function, each
// load and store has one index per dimension of its buffer. Returns an error if
//   - Schedule::Validate() fails;
//   - `inputs` or `outputs` do not match the schedule;
//   - an intrinsic does not fit the loops or buffers;
//   - 32-bit indices do not suffice.
absl::StatusOr<tir::Function> Lower(const schedule::Schedule& schedule,
                                    std::string name,
                                    const std::vector<te::Tensor>& inputs,
                                    const std::vector<te::Tensor>& outputs);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_LOWER_H_
