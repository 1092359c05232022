// Winograd convolution: computes a 3 x 3 convolution with stride 1 as `a^2`
// matrix products of transformed pixels and transformed weights. An output tile
// has m x m pixels, and an input tile has a x a pixels, where a = m + 2. The
// header graph/encoding/winograd.h describes the algorithm and the matrices A
// and B. The weights are encoded for it (graph/encoding/winograd_filters.h).
//
// C and O are the numbers of input and output channels. The data has blocks of
// ib channels, the weights have blocks of wb output channels, and the result
// has blocks of ob channels:
//
//   data    [N, C/ib, H, W, ib]
//   weights [a, a, O/wb, C, wb]
//   result  [N, O/ob, OH, OW, ob]
//
// The stages are:
//
//   pad       the padded data
//   rows      B d                           [a, a, C/ib, P, ib]
//   V         B d B^T                       [a, a, C/ib, P, ib]
//   M         sum of the products over C    [a, a, O/wb, P, wb]
//   columns   A M                           [m, a, O/ob, P, ob]
//   pixels    A M A^T                       [m, m, O/ob, P, ob]
//   conv2d    the result, assembled from the tiles of the stage pixels
//
// P enumerates the tiles of all images in row-major order. The last tiles of a
// row or column are cropped to the image. The tiles are divided into chunks, so
// that the transformed pixels of a chunk stay in the L2 cache while the weights
// are read. The products are computed in register tiles. A register tile covers
// `tile_p` Winograd tiles and wb output channels. Its accumulators stay in
// registers for the whole reduction.
//
// The algorithm is profitable if the products take most of the time: it saves
// multiplications, but the transformed weights are a^2 / 9 times as large as
// the original weights. WinogradSeconds models both effects.
#ifndef ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_
#define ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_

#include <vector>

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true if the weights of `op` have been transformed.
bool WinogradApplies(const OpInstance& op, const target::Target& target);

// Returns one encoding per size of the output tiles for float32 weights of 3 x
// 3, with stride and dilation 1, whose data and result are in blocks.
std::vector<graph::Encoding> WinogradWeights(const OpInstance& op,
                                             const target::Target& target);

// The error bound is 1e-5 for output tiles of 2 x 2 pixels, 1e-4 for output
// tiles of 4 x 4 pixels, and 1e-3 for output tiles of 6 x 6 pixels.
extern const Inexact kWinograd;

// Returns the result of the convolution, a tensor with tag "conv2d". The tag of
// each of the stages rows, V, M, columns and pixels is "winograd." followed by
// the name of the stage.
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
