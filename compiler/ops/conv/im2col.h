// Convolution as a matrix product of weights [O, K] and pixels [K, P], where
// K = C * KH * KW enumerates input channels and filter taps, and P = OH * OW
// enumerates the output pixels in row-major order. Layouts are blocked as in
// conv2d.h:
//
//   data    [N, C/ib, H, W, ib]
//   weights [O/ob, C/ib, KH, KW, ib, ob]
//   result  [N, O/ob, OH, OW, ob]
//
// The pixels are gathered first: each pixel is copied once per window that
// contains it (`im2col`; Chellapilla et al., High Performance Convolutional
// Neural Networks for Document Processing, 2006). A convolution with a 1 x 1
// window, stride 1 and no padding needs no gathering.
//
// After gathering, register tiles may span rows, and the product is blocked for
// the caches like any matrix product (Goto, van de Geijn, Anatomy of
// High-Performance Matrix Multiplication, 2008). A parallel task computes
// several rows of the result, so that the gathered pixels of a task stay in the
// L2 cache. The input channels are divided into parts, so that the weights that
// one register tile needs for one part stay in the L1 cache. Partial sums are
// kept in memory between parts.
//
// With many output channels and few pixels this algorithm is faster than the
// direct one (conv2d.h). With few output channels the gathering costs more than
// the blocking saves.
#ifndef ASSAY_COMPILER_OPS_CONV_IM2COL_H_
#define ASSAY_COMPILER_OPS_CONV_IM2COL_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true for blocked float convolutions without groups whose weights are
// in blocks of filters. If pixels are gathered, the block size of the input
// channels must also be a multiple of the number of float lanes of a vector.
bool Im2colApplies(const OpInstance& op, const target::Target& target);

// Returns the result of the convolution, a tensor with tag "conv2d".
te::Tensor Im2colConv2d(const OpInstance& op, const Operands& in,
                        const target::Target& target, const Config& config);

// Returns the space of these knobs:
//
// - tile_p: number of pixels in a register tile.
// - tile_oc: number of blocks of output channels in a register tile.
// - rows: number of rows of the result in a parallel task.
// - groups: a task computes groups * tile_oc blocks of output channels. (These
//   are not the groups of a grouped convolution.) If only a few tasks need the
//   same pixels, each task gathers them for itself. Otherwise they are gathered
//   once, before all tasks.
// - ic_parts: number of parts into which the input channels are divided.
// - by_row: if 1, register tiles do not span rows, and taps whose input row is
//   padding are skipped.
ConfigSpace Im2colSpace(const OpInstance& op, const target::Target& target);
Config DefaultIm2colConfig(const OpInstance& op, const target::Target& target);
double Im2colSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config);

// Schedules a kernel whose anchor is `conv` (from Im2colConv2d) and whose
// result is `output`. `output` must be either `conv` itself or a tensor of the
// same shape that is an elementwise function of `conv`.
void ScheduleIm2col(schedule::Schedule& s, const OpInstance& op,
                    const te::Tensor& conv, const te::Tensor& output,
                    const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_IM2COL_H_
