// Depthwise convolution in the blocked layout: every channel has one filter (as
// many groups and filters as channels).
//
//   data    [N, C/b, H, W, b]
//   weights [C/b, 1, KH, KW, 1, b]
//   result  [N, C/b, OH, OW, b]
//
// There is no sum over channels, so each element is used only KH*KW times and
// memory bandwidth is the limit: padding is never written to memory, and the
// epilogue is part of the tile. The lanes of a vector are channels.
#ifndef ASSAY_COMPILER_OPS_CONV_DEPTHWISE_H_
#define ASSAY_COMPILER_OPS_CONV_DEPTHWISE_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

bool DepthwiseApplies(const OpInstance& op, const target::Target& target);

// The result, tagged "conv2d".
te::Tensor DepthwiseConv2d(const OpInstance& op, const Operands& in,
                           const target::Target& target, const Config& config);

// tile_ow: pixels of a row in a register tile. rows: rows of the result in a
// parallel task.
ConfigSpace DepthwiseSpace(const OpInstance& op, const target::Target& target);
Config DefaultDepthwiseConfig(const OpInstance& op,
                              const target::Target& target);

// `conv` is from DepthwiseConv2d, `output` is conv or an element-wise function
// of it of the same shape.
void ScheduleDepthwise(schedule::Schedule& s, const OpInstance& op,
                       const te::Tensor& conv, const te::Tensor& output,
                       const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_DEPTHWISE_H_
