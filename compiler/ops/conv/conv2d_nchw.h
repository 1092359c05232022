// conv2d in the plain layout NCHW, for convolutions that blocks do not suit:
// groups with too few filters for a vector, numbers of channels without a
// useful divisor, and weights that are not constants.
//
// The lanes of a vector are neighbouring pixels of a row. A register tile
// consists of `vectors` such vectors for each of `tile_oc` filters of one
// group. Per input channel and tap, its vectors of pixels are loaded and
// multiplied by tile_oc broadcast weights.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV2D_NCHW_H_
#define ASSAY_COMPILER_OPS_CONV_CONV2D_NCHW_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

bool Conv2dNchwApplies(const OpInstance& op, const target::Target& target);

// The result, tagged "conv2d".
te::Tensor Conv2dNchw(const OpInstance& op, const Operands& in,
                      const target::Target& target, const Config& config);

// The knobs are `tile_oc` and `vectors`, which need not divide their axes, and
// `inline_pad` as in conv_tile.h.
ConfigSpace Conv2dNchwSpace(const OpInstance& op, const target::Target& target);
// The tile with the fewest cycles according to register_tile.h.
Config DefaultConv2dNchwConfig(const OpInstance& op,
                               const target::Target& target);
double Conv2dNchwSeconds(const OpInstance& op, const target::Target& target,
                         const Config& config);

// Schedules a kernel whose anchor is `conv` (from Conv2dNchw) and whose result
// is `output`: conv itself or an element-wise function of it of the same shape.
void ScheduleConv2dNchw(schedule::Schedule& s, const OpInstance& op,
                        const te::Tensor& conv, const te::Tensor& output,
                        const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV2D_NCHW_H_
