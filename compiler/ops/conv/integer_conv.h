// Convolution of int8 or uint8 data with int32 sums, in blocks of channels: the
// tiles of conv2d.h around the dot products of dot_tile.h.
//
// The layout pass packs the weights with `depth` neighbouring input channels
// innermost (Conv2dAttrs), so that a vector of int32 holds as many of each
// filter of a block; a pixel's channels lie side by side in blocks anyway, and
// `depth` of them are broadcast as one. The data is padded and, where the
// target multiplies int16, widened in one pass over it.
#ifndef ASSAY_COMPILER_OPS_CONV_INTEGER_CONV_H_
#define ASSAY_COMPILER_OPS_CONV_INTEGER_CONV_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Blocked with depth > 0, as the target wants it.
bool IntegerConvApplies(const OpInstance& op, const target::Target& target);
// tile_ow and tile_oc, as of Conv2dSpace.
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
