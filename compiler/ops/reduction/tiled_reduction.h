// The schedule of kernels with a single reduction that is not a row reduction
// (row_reduce.h): sliding windows, and reductions over outer axes.
//
// A tile of `tile` adjacent indices of the second-to-last axis, each with a
// vector of the last axis, is accumulated in registers over the whole
// reduction. Element-wise consumers are applied before the tile is stored.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_TILED_REDUCTION_H_
#define ASSAY_COMPILER_OPS_REDUCTION_TILED_REDUCTION_H_

#include "compiler/ops/config_space.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// `tile` splits the second-to-last axis of `output` and need not divide it;
// `inline_pad` is 1 to check for padding at each read, 0 to make a padded copy
// first.
ConfigSpace TileSpace(const Shape& output, const target::Target& target);

// Uses enough accumulators to hide the latency of an operation and avoids a
// partial tile if possible.
Config DefaultTileConfig(const Shape& output, const target::Target& target);

// `reduce` is the only reduction of the kernel; its producers tagged "pad" are
// padding stages. `output` is `reduce` or an element-wise function of it.
void ScheduleTiledReduction(schedule::Schedule& s, const te::Tensor& reduce,
                            const te::Tensor& output,
                            const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_TILED_REDUCTION_H_
