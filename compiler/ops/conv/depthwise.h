// Depthwise convolution in the blocked layout: the numbers of groups, channels
// and filters are equal, so each channel has one filter.
//
//   data    [N, C/b, H, W, b]
//   weights [C/b, 1, KH, KW, 1, b]
//   result  [N, C/b, OH, OW, b]
//
// There is no sum over channels, so each element of the data is used at most
// KH * KW times, and memory bandwidth limits the speed. Therefore padding is
// never written to memory, and the epilogue is applied in the register tile.
// The lanes of a vector are channels.
#ifndef ASSAY_COMPILER_OPS_CONV_DEPTHWISE_H_
#define ASSAY_COMPILER_OPS_CONV_DEPTHWISE_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true for blocked depthwise convolutions.
bool DepthwiseApplies(const OpInstance& op, const target::Target& target);

// Returns the result of the convolution, a tensor with tag "conv2d".
te::Tensor DepthwiseConv2d(const OpInstance& op, const Operands& in,
                           const target::Target& target, const Config& config);

// Returns the space of these knobs:
//
// - tile_ow: number of neighbouring pixels of a row in a register tile.
// - rows: number of rows of the result that one parallel task computes.
ConfigSpace DepthwiseSpace(const OpInstance& op, const target::Target& target);
Config DefaultDepthwiseConfig(const OpInstance& op,
                              const target::Target& target);

// Schedules a kernel whose anchor is `conv` (from DepthwiseConv2d) and whose
// result is `output`. `output` must be either `conv` itself or a tensor of the
// same shape that is an elementwise function of `conv`.
void ScheduleDepthwise(schedule::Schedule& s, const OpInstance& op,
                       const te::Tensor& conv, const te::Tensor& output,
                       const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_DEPTHWISE_H_
