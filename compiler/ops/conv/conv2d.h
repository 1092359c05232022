// Direct conv2d in the blocked layout NCHWc.
//
//   data    [N, C/ib, H, W, ib]
//   weights [O/ob, Cg/wi, KH, KW, wi, ob]
//   result  [N, O/ob, OH, OW, ob]
//
// The lanes of a vector are filters; conv_tile.h describes the register tile.
// The epilogue (bias, residual, activation) is applied to the accumulators
// before they are stored. Rows of tiles run in parallel. Groups may consist of
// blocks or blocks of groups (channel_groups.h); in the latter case a vector
// has as many lanes as a group has filters.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV2D_H_
#define ASSAY_COMPILER_OPS_CONV_CONV2D_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Applies to blocked float convolutions that are neither depthwise nor use
// Winograd's algorithm.
bool Conv2dApplies(const OpInstance& op, const target::Target& target);

// The result, tagged "conv2d".
te::Tensor Conv2d(const OpInstance& op, const Operands& in,
                  const target::Target& target, const Config& config);

// The space and the default of conv_tile.h.
ConfigSpace Conv2dSpace(const OpInstance& op, const target::Target& target);
Config DefaultConv2dConfig(const OpInstance& op, const target::Target& target);

// The maximum of the cycles of the register tiles and of the time to move data,
// weights and result once.
double Conv2dSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config);

// Tiles `output` by `tile_ow` and `tile_oc`. Returns the accumulating stage,
// attached inside the tile, with its own loops unscheduled.
schedule::Stage& TileConv2d(schedule::Schedule& s, const OpInstance& op,
                            const te::Tensor& conv, const te::Tensor& output,
                            const Config& config);

// Schedules a kernel whose anchor is `conv` (from Conv2d) and whose result is
// `output`: conv itself or an element-wise function of it of the same shape.
void ScheduleConv2d(schedule::Schedule& s, const OpInstance& op,
                    const te::Tensor& conv, const te::Tensor& output,
                    const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV2D_H_
