// Pointwise convolution: 1 x 1 without padding, which is a matrix product of
// weights [O, C] and pixels [C, P], P counting the output's pixels row by row.
// Layouts are blocked as for conv2d.
//
//   data    [N, C/ib, H, W, ib]
//   weights [O/ob, C/ib, 1, 1, ib, ob]
//   result  [N, O/ob, OH, OW, ob]
//
// With rows and columns counted as one, register tiles need not end where a row
// does. Pixels are cut into chunks whose data fits in the L2 cache; of each
// chunk all output channels are computed, tile_oc blocks at a time, whose
// weights then stay in the L1 cache. With strides the pixels that count are
// gathered first.
#ifndef ASSAY_COMPILER_OPS_CONV_POINTWISE_H_
#define ASSAY_COMPILER_OPS_CONV_POINTWISE_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

bool PointwiseApplies(const OpInstance& op, const target::Target& target);

// The result, tagged "conv2d".
te::Tensor PointwiseConv2d(const OpInstance& op, const Operands& in,
                           const target::Target& target, const Config& config);

// tile_p: pixels, tile_oc: blocks of output channels in a register tile.
// chunk: register tiles of pixels in a chunk.
ConfigSpace PointwiseSpace(const OpInstance& op, const target::Target& target);
Config DefaultPointwiseConfig(const OpInstance& op,
                              const target::Target& target);
double PointwiseSeconds(const OpInstance& op, const target::Target& target,
                        const Config& config);

// `conv` is from PointwiseConv2d, `output` is conv or an element-wise function
// of it of the same shape.
void SchedulePointwise(schedule::Schedule& s, const te::Tensor& conv,
                       const te::Tensor& output, const target::Target& target,
                       const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_POINTWISE_H_
