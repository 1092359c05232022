// Schedules for kernels that have no schedule template of their own.
#ifndef ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_
#define ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Schedules a kernel without reductions. All stages are inlined into `output`,
// except those that are stored (inlining/inline_stages.h), which are scheduled
// by ParallelizeRows. The rows of `output` run in parallel, and its innermost
// axis is vectorized. If the kernel unpacks blocks of channels (a stage with
// tag "unpack") and `output` has four axes, the loop over the channels of a
// block is placed inside the loop over the rows. The reason is that all
// channels of a block share cache lines, which are then still in the cache when
// the next channel of the row is read.
void ScheduleInjective(schedule::Schedule& s, const te::Tensor& output,
                       const target::Target& target);

// Schedules a kernel with small reductions. Reductions, padding (tag "pad") and
// `output` are separate stages at the root, which are computed one after the
// other. Each of them is scheduled by ParallelizeRows. All other stages are
// inlined or stored (inlining/inline_stages.h).
void ScheduleReduction(schedule::Schedule& s, const te::Tensor& output,
                       const target::Target& target);

// Schedules the stage of `tensor`, which must be at the root and must not have
// been scheduled before. The last axis is vectorized if a vector length greater
// than 1 divides its extent. One loop becomes parallel:
//   - in a tensor with three or more axes, the fusion of all axes except the
//     last two;
//   - in a tensor with two axes, the loop over the first axis;
//   - in a tensor with one axis, the loop over the vectors of this axis, if
//     there are several vectors.
// The only exception is a small stage, which has no parallel loop, because
// starting threads would take longer than the stage.
void ParallelizeRows(schedule::Schedule& s, const te::Tensor& tensor,
                     const target::Target& target);

// Returns the work of all stages of a kernel. The work of a stage is the number
// of its elements times the length of its reduction.
int64_t KernelWork(const schedule::Schedule& s);
// Returns true if a kernel with the work `work` should use several threads.
bool IsWorthThreads(int64_t work);

// Returns the number of float32 lanes of a vector of the target, or 1 if the
// target has no vectors.
int64_t FloatLanes(const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_
