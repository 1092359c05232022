// Schedules for kernels that have no schedule template of their own.
#ifndef ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_
#define ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Schedules a kernel without reductions. All stages are inlined into `output`,
// whose rows run in parallel and whose innermost axis is vectorized. If the
// kernel unpacks blocks of channels (a stage with tag "unpack") and `output`
// has four axes, the loop over the channels of a block is inside the loop over
// the rows, because the operand stores a row of all channels of the block in
// the same cache lines.
void ScheduleInjective(schedule::Schedule& s, const te::Tensor& output,
                       const target::Target& target);

// Schedules a kernel with small reductions. Reductions, padding (tag "pad") and
// `output` are separate stages at the root, which are computed one after the
// other. Each of them is scheduled by ParallelizeRows. All other stages are
// inlined.
void ScheduleReduction(schedule::Schedule& s, const te::Tensor& output,
                       const target::Target& target);

// Schedules the stage of `tensor`, which must be at the root and must not have
// been scheduled before. If the tensor has two axes, the first one becomes a
// parallel loop. If it has three or more, all axes except the last two are
// fused into one parallel loop. The last axis is vectorized; the length of the
// vectors divides its extent. If it is the only axis, the loop over its vectors
// becomes the parallel loop. In a small stage no loop is parallel, because
// starting threads would take longer than the stage.
void ParallelizeRows(schedule::Schedule& s, const te::Tensor& tensor,
                     const target::Target& target);

// Returns the work of all stages of a kernel. The work of a stage is the number
// of its elements times the length of its reduction.
int64_t KernelWork(const schedule::Schedule& s);
// Returns true if a kernel with this work should use several threads.
bool IsWorthThreads(int64_t work);

// Returns the number of float32 lanes of a vector of the target, or 1 if the
// target has no vectors.
int64_t FloatLanes(const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_
