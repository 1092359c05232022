// Convolution as a matrix product of weights [O, K] and pixels [K, P], where K
// counts input channels and taps, and P the pixels of the output row by row.
// Layouts are blocked as for conv2d.
//
//   data    [N, C/ib, H, W, ib]
//   weights [O/ob, C/ib, KH, KW, ib, ob]
//   result  [N, O/ob, OH, OW, ob]
//
// The pixels are gathered first, each once per window that contains it
// (`im2col`; Chellapilla et al., High Performance Convolutional Neural Networks
// for Document Processing, 2006). A 1 x 1 window without padding or strides
// needs no gathering. In return, register tiles need not end at the end of a
// row, and the product is blocked for the caches like any other (Goto, van de
// Geijn, Anatomy of High-Performance Matrix Multiplication, 2008): pixels by
// rows of the result for the L2 cache, input channels into parts whose weights
// for one register tile stay in the L1 cache. Partial sums are kept in memory
// between parts.
//
// With many output channels and few pixels this is faster than the direct loop
// (conv2d.h); with few output channels the gathering costs more than it saves.
#ifndef ASSAY_COMPILER_OPS_CONV_IM2COL_H_
#define ASSAY_COMPILER_OPS_CONV_IM2COL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Applies to blocked convolutions without groups and without Winograd's
// algorithm; if pixels are gathered, blocks must be whole vectors.
bool Im2colApplies(const OpInstance& op, const target::Target& target);

// The result, tagged "conv2d".
te::Tensor Im2colConv2d(const OpInstance& op, const Operands& in,
                        const target::Target& target, const Config& config);

// tile_p: pixels in a register tile. tile_oc: blocks of output channels in a
// register tile. rows: rows of the result in a task. groups: register tiles of
// output channels in a task; if few tasks share a row, each gathers its own
// pixels. ic_parts: parts of the input channels. by_row: 1 if register tiles
// end at the end of a row and skip taps that read only padding.
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
