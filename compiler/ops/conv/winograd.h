// Winograd convolution: computes a 3 x 3 convolution with stride 1 by a^2
// matrix products of transformed pixels and transformed weights. The algorithm,
// a and the matrices A and B are described in graph/op/winograd.h. Layouts are
// blocked. A graph operator (winograd_weights) transforms the weights at
// compile time.
//
//   data    [N, C/ib, H, W, ib]
//   weights [a, a, O/wb, C, wb]
//   result  [N, O/ob, OH, OW, ob]
//
// The stages are:
//
//   pad          padded data
//   rows, V      V = B d B^T            [a, a, C/ib, P, ib]
//   M            products over C        [a, a, O/wb, P, wb]
//   columns, pixels, conv2d             the result: A M A^T
//
// P enumerates the tiles of all images in row-major order. The last tiles of a
// row or column are cropped to the image. The tiles are divided into chunks, so
// that the transformed pixels of a chunk stay in the L2 cache while the weights
// are read. The products are computed in register tiles of `tile_p` tiles by wb
// output channels, whose accumulators stay in registers for the whole
// reduction.
//
// The algorithm is profitable if the products take most of the time: it saves
// multiplications, but its weights are a^2 / 9 times as large.
// WinogradSeconds models both effects.
#ifndef ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_
#define ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true if the weights of `op` have been transformed.
bool WinogradApplies(const OpInstance& op, const target::Target& target);

// Returns a bound of the error relative to the largest absolute value of the
// output: 1e-5, 1e-4 or 1e-3 for output tiles of 2 x 2, 4 x 4 or 6 x 6 pixels.
double WinogradErrorBound(const OpInstance& op);

// Returns the result of the convolution, a tensor with tag "conv2d". The stages
// rows, V, M, columns and pixels have the tags "winograd.rows", "winograd.V"
// and so on.
te::Tensor WinogradConv2d(const OpInstance& op, const Operands& in,
                          const target::Target& target, const Config& config);

// Returns the space of these knobs:
//
// - tile_p: number of Winograd tiles in a register tile.
// - chunk: number of Winograd tiles that are processed together.
// - group: number of blocks of output channels that are processed together. The
//   products of a group are computed before its output is transformed.
// - share_input: if 0, each chunk transforms its own pixels, and chunks run in
//   parallel. If 1, the pixels of all chunks are transformed first, and then
//   all pairs of a chunk and a group run in parallel.
ConfigSpace WinogradSpace(const OpInstance& op, const target::Target& target);

// Returns the fastest configuration according to WinogradSeconds. All values of
// `chunk` and `share_input` are compared. The values of these two knobs
// determine `tile_p` and `group`.
Config DefaultWinogradConfig(const OpInstance& op,
                             const target::Target& target);

// Returns the modelled time of products, transforms and memory traffic in
// seconds.
double WinogradSeconds(const OpInstance& op, const target::Target& target,
                       const Config& config);

// Schedules a kernel whose anchor is `conv` (from WinogradConv2d) and whose
// result is `output`: `conv` itself or an elementwise function of it of the
// same shape.
void ScheduleWinograd(schedule::Schedule& s, const OpInstance& op,
                      const te::Tensor& conv, const te::Tensor& output,
                      const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_
