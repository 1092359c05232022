// conv2d in the plain layout NCHW, for convolutions that stay in this layout.
// Examples are convolutions whose groups have too few filters for a vector,
// convolutions whose number of channels has no divisor that is a useful block
// size, and convolutions whose weights are not constants.
//
// The lanes of a vector are neighbouring pixels of a row. A register tile
// consists of `vectors` such vectors for each of `tile_oc` filters of one
// group. For each input channel and filter tap, `vectors` vectors of pixels are
// loaded, and each of them is multiplied by `tile_oc` broadcast weights.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV2D_NCHW_H_
#define ASSAY_COMPILER_OPS_CONV_CONV2D_NCHW_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true if the layout of `op` is plain.
bool Conv2dNchwApplies(const OpInstance& op, const target::Target& target);

// Returns the result of the convolution, a tensor with tag "conv2d".
te::Tensor Conv2dNchw(const OpInstance& op, const Operands& in,
                      const target::Target& target, const Config& config);

// Returns the space of the knobs `tile_oc` and `vectors`, which define the
// register tile, and `inline_pad` (see ConvTileSpace). The tile need not divide
// the number of filters or pixels.
ConfigSpace Conv2dNchwSpace(const OpInstance& op, const target::Target& target);
// Returns the tile with the fewest cycles according to register_tile.h.
Config DefaultConv2dNchwConfig(const OpInstance& op,
                               const target::Target& target);
// Returns the time of the convolution in seconds, as estimated by the cost
// model (cost_model.h).
double Conv2dNchwSeconds(const OpInstance& op, const target::Target& target,
                         const Config& config);

// Schedules a kernel whose anchor is `conv` (from Conv2dNchw) and whose result
// is `output`: either `conv` itself, or a tensor of the same shape that is
// computed from `conv` by elementwise operators.
void ScheduleConv2dNchw(schedule::Schedule& s, const OpInstance& op,
                        const te::Tensor& conv, const te::Tensor& output,
                        const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV2D_NCHW_H_
