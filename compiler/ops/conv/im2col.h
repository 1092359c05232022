// Convolution as a matrix product of weights [O, K] and pixels [K, P]: K counts
// input channels and taps, P the output's pixels row by row. Layouts are
// blocked as for conv2d.
//
//   data    [N, C/ib, H, W, ib]
//   weights [O/ob, C/ib, KH, KW, ib, ob]
//   result  [N, O/ob, OH, OW, ob]
//
// The pixels are gathered first, each as often as windows contain it (`im2col`;
// Chellapilla et al., High Performance Convolutional Neural Networks for
// Document Processing, 2006). A 1 x 1 window without padding or strides needs
// no gathering. In return register tiles need not end where a row does, and the
// product is cut for the caches as any other (Goto, van de Geijn, Anatomy of
// High-Performance Matrix Multiplication, 2008): pixels by rows of the result
// for the second cache, input channels into parts whose weights for one
// register tile stay in the first. The sums of a part wait in memory for the
// next.
//
// Of many output channels and few pixels, then, this is the faster one; of few
// output channels gathering costs more than the direct loop (conv2d.h) loses.
#ifndef ASSAY_COMPILER_OPS_CONV_IM2COL_H_
#define ASSAY_COMPILER_OPS_CONV_IM2COL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Blocked, without groups, not by Winograd's algorithm; where pixels are to be
// gathered, in whole vectors.
bool Im2colApplies(const OpInstance& op, const target::Target& target);

// The result, tagged "conv2d".
te::Tensor Im2colConv2d(const OpInstance& op, const Operands& in,
                        const target::Target& target, const Config& config);

// tile_p: pixels, tile_oc: blocks of output channels in a register tile.
// rows, groups: rows of the result and register tiles of output channels in a
// task, which gathers its own pixels where few tasks share a row. ic_parts:
// parts of the input channels. by_row: whether register tiles end where a row
// does, and skip the taps that read nothing but padding there.
ConfigSpace Im2colSpace(const OpInstance& op, const target::Target& target);
Config DefaultIm2colConfig(const OpInstance& op, const target::Target& target);
double Im2colSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config);

// `conv` is from Im2colConv2d, `output` is conv or an element-wise function of
// it of the same shape.
void ScheduleIm2col(schedule::Schedule& s, const OpInstance& op,
                    const te::Tensor& conv, const te::Tensor& output,
                    const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_IM2COL_H_
