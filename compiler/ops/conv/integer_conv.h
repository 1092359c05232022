// Blocked convolution of int8 or uint8 data with int32 accumulators. It uses
// the loops of conv2d.h and, inside the register tile, the dot products of
// dot_tile.h.
//
// The weights are packed at compile time with `depth` (FilterBlocks::depth)
// neighbouring input channels innermost, so that each int32 lane of a vector
// holds `depth` weights of one filter. The channels of a pixel are contiguous
// within a block, and `depth` of them are broadcast as one int32. Before the
// convolution, a single pass over the data adds the padding. If the dot
// products multiply int16 values, this pass also widens the data to int16.
//
// If the convolution has groups, each group consists of whole blocks of
// channels and of filters (channel_groups.h).
#ifndef ASSAY_COMPILER_OPS_CONV_INTEGER_CONV_H_
#define ASSAY_COMPILER_OPS_CONV_INTEGER_CONV_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true if the depth of the weights is greater than 1 and equal to the
// depth that ChooseDotTile returns for the target and the operand types.
bool IntegerConvApplies(const OpInstance& op, const target::Target& target);
// Returns a space with two of the entries of ConvTileSpace (conv_tile.h):
// tile_ow and tile_oc.
ConfigSpace IntegerConvSpace(const OpInstance& op,
                             const target::Target& target);
Config DefaultIntegerConvConfig(const OpInstance& op,
                                const target::Target& target);
// Returns the result of the convolution, a tensor with tag "conv2d".
te::Tensor IntegerConv2d(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config& config);
// Schedules a kernel whose anchor is `conv` (from IntegerConv2d) and whose
// result is `output`. `output` is `conv` itself or an elementwise function of
// `conv` that has the same shape.
void ScheduleIntegerConv(schedule::Schedule& s, const OpInstance& op,
                         const te::Tensor& conv, const te::Tensor& output,
                         const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_INTEGER_CONV_H_
