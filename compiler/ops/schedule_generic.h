// Schedules for kernels without a template of their own.
#ifndef ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_
#define ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// A kernel without reductions: everything is inlined into `output`, whose rows
// are shared out over the threads and whose innermost axis is vectorized. Where
// blocks of channels are taken apart (a stage tagged "unpack"), the channels of
// a block go together.
void ScheduleInjective(schedule::Schedule& s, const te::Tensor& output,
                       const target::Target& target);

// A kernel with small reductions (pooling) and element-wise stages around
// them: reductions and padding run one after the other at root, each shared
// out by rows and vectorized along its innermost data axis; everything else is
// inlined.
void ScheduleReduction(schedule::Schedule& s, const te::Tensor& output,
                       const target::Target& target);

// The loops of one root stage whose leaf axes are still its data axes: fuses
// all but the innermost into one parallel loop, vectorizes the innermost as
// far as it divides. Small stages stay serial: starting threads costs more.
void ParallelizeRows(schedule::Schedule& s, const te::Tensor& tensor,
                     const target::Target& target);

// Element operations of all stages of the kernel, and whether so many are
// worth starting the threads for.
int64_t KernelWork(const schedule::Schedule& s);
bool IsWorthThreads(int64_t work);

// Float lanes of one vector of the target; 1 where it has none.
int64_t FloatLanes(const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_
