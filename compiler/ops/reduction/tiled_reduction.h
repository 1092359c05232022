// Schedules kernels with a single reduction that is not a row reduction
// (row_reduce.h). Examples are sliding windows and reductions over outer axes.
//
// A tile is a part of the result: it extends over `tile` adjacent indices of
// the second-to-last axis and over one vector along the last axis. Its elements
// are accumulated in registers for the whole reduction. Elementwise consumers
// are applied before the tile is stored.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_TILED_REDUCTION_H_
#define ASSAY_COMPILER_OPS_REDUCTION_TILED_REDUCTION_H_

#include "compiler/ops/config_space.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Returns a space with two entries. `tile` is a split of the second-to-last
// axis of `output`; the size of a tile need not divide the extent. If the knob
// `inline_pad` is 1, each read checks for padding; if it is 0, a padded copy is
// made first.
ConfigSpace TileSpace(const Shape& output, const target::Target& target);

// Returns the default configuration. `tile` is the number of accumulators. It
// is at most 8, and at most half of the number of vector registers. Several
// accumulators hide the latency of an operation. If the extent of the
// second-to-last axis has divisors from 4 up to this maximum, `tile` is the
// largest of them, so that all tiles are full.
Config DefaultTileConfig(const Shape& output, const target::Target& target);

// Schedules a kernel whose only reduction is `reduce`. `output`, the result of
// the kernel, must be `reduce` itself or an elementwise function of it.
// Producers of `reduce` with tag "pad" are treated as padding (knob
// `inline_pad`).
void ScheduleTiledReduction(schedule::Schedule& s, const te::Tensor& reduce,
                            const te::Tensor& output,
                            const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_TILED_REDUCTION_H_
