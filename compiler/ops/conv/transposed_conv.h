// Two implementations of conv2d_transpose.
//
// TransposedPhases, for the blocked layout: Assume that the strides are [s, t].
// Rows a, a + s, a + 2s, … of the result depend on the same rows of the filter,
// namely on all rows k for which a + padding - k * dilation is a multiple of s.
// Columns behave in the same way with stride t. The result therefore consists
// of s * t interleaved convolutions with stride 1, called phases. Each phase
// uses only its own taps, and no zeros are inserted between the elements of the
// data. The register tiles of conv_tile.h compute a row of each phase. Then the
// rows are interleaved, and the epilogue is applied.
//
// SpreadConv2dTranspose, for the plain layout: Zeros are inserted between and
// around the elements of the data. Then the data with the zeros is correlated
// with the reversed weights. With a stride of s in both directions, s * s - 1
// of every s * s multiplications are by zero.
#ifndef ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_
#define ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_

#include <optional>

#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns the blocks of channels of the data and of the result of a
// conv2d_transpose of plain tensors, or nullopt if they should stay plain. This
// is the case if ChooseChannelBlocks finds no block sizes, or if there are so
// many phases that the code would be too long.
std::optional<BlockSizes> ChooseTransposedBlocks(
    const target::Target& target, const graph::Conv2dTransposeAttrs& attrs,
    const graph::TensorType& data, const graph::TensorType& weights);

// Returns true if the tensors of `op` are in blocks.
bool TransposedPhasesApply(const OpInstance& op, const target::Target& target);

// Returns the result, a tensor with tag "conv2d_transpose". The convolution of
// each phase is a stage with tag "phase".
te::Tensor TransposedPhases(const OpInstance& op, const Operands& in,
                            const target::Target& target, const Config& config);

// Returns ConvTileSpace (conv_tile.h) for the rows of a phase. A row has OW / t
// pixels, rounded up, where OW is the width of the result.
ConfigSpace TransposedPhasesSpace(const OpInstance& op,
                                  const target::Target& target);
// Returns DefaultConvTile (conv_tile.h) for the rows of a phase.
Config DefaultTransposedPhasesConfig(const OpInstance& op,
                                     const target::Target& target);
// Returns the modelled time in seconds.
double TransposedPhasesSeconds(const OpInstance& op,
                               const target::Target& target,
                               const Config& config);

// Schedules a kernel whose anchor is `conv`, the result of TransposedPhases.
// `output` is the result of the kernel. It is either `conv` itself or an
// elementwise function of `conv` that has the same shape.
void ScheduleTransposedPhases(schedule::Schedule& s, const OpInstance& op,
                              const te::Tensor& conv, const te::Tensor& output,
                              const target::Target& target,
                              const Config& config);

// Returns true if the layout of `op` is plain.
bool SpreadConv2dTransposeApplies(const OpInstance& op,
                                  const target::Target& target);
// Returns the result, a tensor with tag "reduction". The data with inserted
// zeros is a stage with tag "pad".
te::Tensor SpreadConv2dTranspose(const OpInstance& op, const Operands& in,
                                 const target::Target& target,
                                 const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_
