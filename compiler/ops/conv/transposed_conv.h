// conv2d_transpose, two ways.
//
// In blocks, by phases: with strides [s, t] rows a, a + s, a + 2s … of the
// result meet the same taps of the kernel, those k for which
// (a + padding - k * dilation) is a multiple of s, and columns likewise. So the
// result consists of s * t interleaved convolutions with stride 1, each with
// the taps of its phase and none with zeros between the data. Of each a row is
// computed by the tiles of conv_tile.h; then the rows are interleaved and the
// epilogue is applied.
//
// Plain: the data with zeros between and around its elements, correlated with
// the weights turned round. A stride of s multiplies s * s times as many zeros
// as numbers.
#ifndef ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_
#define ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_

#include <optional>

#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// Blocks for a plain conv2d_transpose; nothing where it is better left plain:
// for want of useful vectors, or because there are so many phases that code for
// each of them would be too long.
std::optional<ChannelBlocks> ChooseTransposedBlocks(
    const target::Target& target, const graph::Conv2dTransposeAttrs& attrs,
    const graph::TensorType& data, const graph::TensorType& weights);

bool TransposedPhasesApply(const OpInstance& op, const target::Target& target);

// The result, tagged "conv2d_transpose", each convolution tagged "phase".
te::Tensor TransposedPhases(const OpInstance& op, const Operands& in,
                            const target::Target& target, const Config& config);

// Those of conv_tile.h, for rows of the data's size.
ConfigSpace TransposedPhasesSpace(const OpInstance& op,
                                  const target::Target& target);
Config DefaultTransposedPhasesConfig(const OpInstance& op,
                                     const target::Target& target);
double TransposedPhasesSeconds(const OpInstance& op,
                               const target::Target& target,
                               const Config& config);

// Schedules a kernel whose anchor is `conv` (from TransposedPhases) and whose
// result is `output`: conv itself or an element-wise function of it of the same
// shape.
void ScheduleTransposedPhases(schedule::Schedule& s, const OpInstance& op,
                              const te::Tensor& conv, const te::Tensor& output,
                              const target::Target& target,
                              const Config& config);

// Plain. The spread data is a stage tagged "pad", the result one tagged
// "reduction".
bool SpreadConv2dTransposeApplies(const OpInstance& op,
                                  const target::Target& target);
te::Tensor SpreadConv2dTranspose(const OpInstance& op, const Operands& in,
                                 const target::Target& target,
                                 const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_
