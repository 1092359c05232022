// Winograd convolution: a 3 x 3 convolution with stride 1 as a^2 matrix
// products of transformed pixels and transformed weights (graph/op/winograd.h
// has the algorithm). Layouts are blocked. The graph transforms the weights
// (winograd_weights) and folds them to constants.
//
//   data    [N, C/ib, H, W, ib]
//   weights [a, a, O/wb, C, wb]
//   result  [N, O/ob, OH, OW, ob]
//
//   pad ─▶ rows, V: B d B^T           [a, a, C/ib, P, ib]
//       ─▶ M: products over C         [a, a, O/wb, P, wb]
//       ─▶ columns, conv2d: A M A^T   the result
//
// P counts the tiles of all images, row by row; the last tiles of a row or
// column are cropped to the image. All loops run over chunks of tiles, so that
// the transformed pixels of a chunk stay in the L2 cache while the weights are
// streamed. The products are register tiles of `tile_p` tiles by wb output
// channels, kept in accumulators over the whole reduction.
//
// Pays if the products dominate: it saves multiplications, but its weights are
// a^2/9 times as large. WinogradSeconds models both.
#ifndef ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_
#define ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true if the weights of the convolution are transformed ones.
bool WinogradApplies(const OpInstance& op, const target::Target& target);

// Bound of the error relative to the largest output: 1e-5, 1e-4 and 1e-3 for
// tiles of 2, 4 and 6 pixels.
double WinogradErrorBound(const OpInstance& op);

// The result, tagged "conv2d"; the stages before it are tagged as above
// ("winograd.V", …).
te::Tensor WinogradConv2d(const OpInstance& op, const Operands& in,
                          const target::Target& target, const Config& config);

// tile_p: tiles in a register tile. chunk: tiles that are transformed together.
// group: blocks of output channels whose products are computed before their
// output is transformed. share_input: 1 transforms all tiles first, so that
// groups run in parallel as well.
ConfigSpace WinogradSpace(const OpInstance& op, const target::Target& target);

// The fastest configuration according to WinogradSeconds among all sizes of
// chunks, with chunks in parallel or, with share_input, chunks and groups.
Config DefaultWinogradConfig(const OpInstance& op,
                             const target::Target& target);

// Modelled time of products, transforms and loads of weights.
double WinogradSeconds(const OpInstance& op, const target::Target& target,
                       const Config& config);

// `conv` is from WinogradConv2d, `output` is conv or an element-wise function
// of it of the same shape.
void ScheduleWinograd(schedule::Schedule& s, const OpInstance& op,
                      const te::Tensor& conv, const te::Tensor& output,
                      const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_
