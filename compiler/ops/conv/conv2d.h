// Direct conv2d in the blocked layout NCHWc.
//
//   data    [N, C/ib, H, W, ib]
//   weights [O/ob, Cg/wi, KH, KW, wi, ob]
//   result  [N, O/ob, OH, OW, ob]
//
// Here ib and ob are the block sizes of input channels and filters, and Cg is
// the number of input channels per group. wi is the block size of the input
// channels in the weights.
//
// The lanes of a vector are filters; conv_tile.h describes the register tile.
// The epilogue (bias, residual, activation) is applied to the accumulators
// before they are stored. Rows of tiles are computed in parallel. Either each
// group consists of one or more whole blocks, or each block consists of several
// whole groups (channel_groups.h). If a block of filters consists of several
// groups, a vector has as many lanes as a group has filters.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV2D_H_
#define ASSAY_COMPILER_OPS_CONV_CONV2D_H_

#include <vector>

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true for blocked float convolutions that are not depthwise and whose
// weights are in blocks of filters.
bool Conv2dApplies(const OpInstance& op, const target::Target& target);

// Returns true for convolutions of float32 without groups whose data and result
// are in blocks.
bool IsBlockedFloatConv(const OpInstance& op);

// Returns the blocks of filters for such a convolution.
std::vector<graph::Encoding> Conv2dWeights(const OpInstance& op,
                                           const target::Target& target);

// Returns the result of the convolution, a tensor with tag "conv2d".
te::Tensor Conv2d(const OpInstance& op, const Operands& in,
                  const target::Target& target, const Config& config);

// Conv2dSpace returns the result of ConvTileSpace (conv_tile.h) for `op`, and
// DefaultConv2dConfig returns the result of DefaultConvTile.
ConfigSpace Conv2dSpace(const OpInstance& op, const target::Target& target);
Config DefaultConv2dConfig(const OpInstance& op, const target::Target& target);

// Returns the modelled time: the time of the register tiles, or the time to
// move data, weights and result once if that is longer.
double Conv2dSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config);

// Tiles `output` by the entries `tile_ow` and `tile_oc` of `config`. Returns
// the stage that accumulates the sums. This stage is computed inside the tile;
// its own loops are not scheduled.
schedule::Stage& TileConv2d(schedule::Schedule& s, const OpInstance& op,
                            const te::Tensor& conv, const te::Tensor& output,
                            const Config& config);

// Schedules a kernel whose anchor is `conv` (from Conv2d) and whose result is
// `output`. `output` must be either `conv` itself or a tensor of the same shape
// that is an elementwise function of `conv`.
void ScheduleConv2d(schedule::Schedule& s, const OpInstance& op,
                    const te::Tensor& conv, const te::Tensor& output,
                    const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV2D_H_
