// Schedules for kernels without their own template.
#ifndef ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_
#define ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// For kernels without reductions: every stage is inlined into `output`, whose
// rows run in parallel and whose innermost axis is vectorized. If blocks of
// channels are unpacked (a stage tagged "unpack"), the channels of a block stay
// together.
void ScheduleInjective(schedule::Schedule& s, const te::Tensor& output,
                       const target::Target& target);

// For kernels with small reductions (pooling) and element-wise stages around
// them: reductions and padding are computed at root one after the other, each
// parallel over rows and vectorized along its innermost data axis; all other
// stages are inlined.
void ScheduleReduction(schedule::Schedule& s, const te::Tensor& output,
                       const target::Target& target);

// Schedules a root stage whose leaf axes are still its data axes: fuses all but
// the innermost into one parallel loop and vectorizes the innermost as far as
// it divides. Small stages stay serial, because starting threads costs more.
void ParallelizeRows(schedule::Schedule& s, const te::Tensor& tensor,
                     const target::Target& target);

// The number of element operations of all stages of the kernel, and whether it
// is worth starting threads for.
int64_t KernelWork(const schedule::Schedule& s);
bool IsWorthThreads(int64_t work);

// Float lanes of a vector of the target; 1 if it has no vectors.
int64_t FloatLanes(const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_SCHEDULE_GENERIC_H_
