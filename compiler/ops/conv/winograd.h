// Winograd convolution: 3 x 3, stride 1, as a^2 matrix products of transformed
// pixels and transformed weights (graph/op/winograd.h has the algorithm and its
// error). Layouts are blocked, the transformed weights come from the graph
// (winograd_weights), where constants are folded.
//
//   data    [N, C/ib, H, W, ib]
//   weights [a, a, O/wb, C, wb]
//   result  [N, O/ob, OH, OW, ob]
//
//   pad ─▶ rows, V: B d B^T           [a, a, C/ib, P, ib]
//       ─▶ M: products over C         [a, a, O/wb, P, wb]
//       ─▶ columns, conv2d: A M A^T   the result
//
// P counts the tiles of all images, row by row; the result is cut off where the
// last tiles reach beyond the image. All loops run over chunks of tiles, so
// that the transformed pixels of a chunk stay in the L2 cache while the weights
// stream past; the products are register tiles of `tile_p` tiles by wb output
// channels, kept in accumulators over the whole reduction.
//
// Worth it where the products dominate: by the ratio of multiplications, less
// the memory traffic of weights that are a^2/9 times as large. WinogradSeconds
// does the sum.
#ifndef ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_
#define ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Whether the convolution's weights are transformed ones.
bool WinogradApplies(const OpInstance& op, const target::Target& target);

// The result, tagged "conv2d"; the stages before it are tagged as above
// ("winograd.V", …).
te::Tensor WinogradConv2d(const OpInstance& op, const Operands& in,
                          const target::Target& target, const Config& config);

// tile_p: tiles in a register tile. chunk: tiles that are transformed together.
// group: blocks of output channels between two transforms of the output.
// share_input: transform all tiles first, for all groups, so that groups can
// be shared out as well.
ConfigSpace WinogradSpace(const OpInstance& op, const target::Target& target);

// Chunks whose transformed pixels and products fit the L2 cache, cut into
// register tiles with the least waste; shared out by chunks where there are
// enough for the cores, else by groups as well.
Config DefaultWinogradConfig(const OpInstance& op,
                             const target::Target& target);

// By the model: products, transforms, and the weights' way from memory.
double WinogradSeconds(const OpInstance& op, const target::Target& target,
                       const Config& config);

// `conv` is from WinogradConv2d, `output` is conv or an element-wise function
// of it of the same shape.
void ScheduleWinograd(schedule::Schedule& s, const OpInstance& op,
                      const te::Tensor& conv, const te::Tensor& output,
                      const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_WINOGRAD_H_
