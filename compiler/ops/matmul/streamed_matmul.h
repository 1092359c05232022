// StreamedMatmul: matmul with few rows, whose time is that of reading the
// second operand.
//
// The operand is read once, in its order, and not packed: each thread takes
// `nc` columns, and adds `ku` rows of them at a time to sums in the L1 cache.
// Parts of rows that are as long as a page of memory are read as fast as
// possible.
#ifndef ASSAY_COMPILER_OPS_MATMUL_STREAMED_MATMUL_H_
#define ASSAY_COMPILER_OPS_MATMUL_STREAMED_MATMUL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Share of the roofline that the cost model assumes, in percent.
constexpr int kStreamedPercent = 90;
// With more rows, packing the second operand pays.
constexpr int64_t kMostStreamedRows = 4;

// Returns true for matrices of at most kMostStreamedRows rows.
bool StreamedMatmulApplies(const OpInstance& op, const target::Target& target);

// Returns the space of these knobs:
//
// - nc: number of columns of a parallel task.
// - ku: number of rows of the second operand that are added at a time.
ConfigSpace StreamedMatmulSpace(const OpInstance& op,
                                const target::Target& target);
Config DefaultStreamedMatmulConfig(const OpInstance& op,
                                   const target::Target& target);

// Schedules a kernel whose anchor is `matmul` (from Matmul) and whose result is
// `output`: `matmul` itself or an elementwise function of it.
void ScheduleStreamedMatmul(schedule::Schedule& s, const OpInstance& op,
                            const te::Tensor& matmul, const te::Tensor& output,
                            const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_STREAMED_MATMUL_H_
