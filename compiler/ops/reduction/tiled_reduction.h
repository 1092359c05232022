// The schedule of kernels with one reduction that is no row reduction
// (row_reduce.h): windows, and sums over axes that are not the last.
//
// `tile` neighbours on the last axis but one, each a vector of the last axis,
// are accumulated in registers over the whole reduction; element-wise stages
// after the reduction are applied to them before they are stored.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_TILED_REDUCTION_H_
#define ASSAY_COMPILER_OPS_REDUCTION_TILED_REDUCTION_H_

#include "compiler/ops/config_space.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// `tile`, a split of the last axis but one of `output` that need not divide
// it; `inline_pad`, 1 to test for padding while reading, 0 to make a padded
// copy first.
ConfigSpace TileSpace(const Shape& output, const target::Target& target);

// As many accumulators as hide the latency of an operation, without a partial
// tile if that can be had.
Config DefaultTileConfig(const Shape& output, const target::Target& target);

// `reduce` is the one reduction of the kernel, stages tagged "pad" stand before
// it, `output` is reduce or an element-wise function of it.
void ScheduleTiledReduction(schedule::Schedule& s, const te::Tensor& reduce,
                            const te::Tensor& output,
                            const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_TILED_REDUCTION_H_
