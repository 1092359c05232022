// Blocked convolution of int8 or uint8 data with int32 accumulators: the tiles
// of conv2d.h around the dot products of dot_tile.h.
//
// The layout pass packs the weights with `depth` neighbouring input channels
// innermost (Conv2dAttrs), so that each int32 lane of a vector holds `depth`
// channels of one filter. The channels of a pixel are contiguous in blocks, and
// `depth` of them are broadcast as one int32. One pass over the data pads it
// and, if the target multiplies int16, widens it.
#ifndef ASSAY_COMPILER_OPS_CONV_INTEGER_CONV_H_
#define ASSAY_COMPILER_OPS_CONV_INTEGER_CONV_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Applies to blocked convolutions whose depth > 0 is that of the target.
bool IntegerConvApplies(const OpInstance& op, const target::Target& target);
// tile_ow and tile_oc, as in Conv2dSpace.
ConfigSpace IntegerConvSpace(const OpInstance& op,
                             const target::Target& target);
Config DefaultIntegerConvConfig(const OpInstance& op,
                                const target::Target& target);
te::Tensor IntegerConv2d(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config& config);
void ScheduleIntegerConv(schedule::Schedule& s, const OpInstance& op,
                         const te::Tensor& conv, const te::Tensor& output,
                         const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_INTEGER_CONV_H_
