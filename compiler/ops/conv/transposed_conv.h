// conv2d_transpose, in two implementations.
//
// Blocked, by phases: with strides [s, t], rows a, a + s, a + 2s … of the
// result use the same taps of the kernel, those k for which (a + padding - k *
// dilation) is a multiple of s; the same holds for columns. The result
// therefore consists of s * t interleaved convolutions with stride 1, each with
// the taps of its phase and without zeros between the data. The tiles of
// conv_tile.h compute a row of each phase; then the rows are interleaved and
// the epilogue is applied.
//
// Plain: the data is spread with zeros between and around its elements and
// correlated with the reversed weights. With a stride of s, s * s - 1 of s * s
// multiplications are by zero.
#ifndef ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_
#define ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_

#include <optional>

#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/implementation.h"

namespace assay::ops {

// The channel blocks of a plain conv2d_transpose; nullopt if it should stay
// plain, because its filters fill no vector or because the code of its many
// phases would be too long.
std::optional<graph::ConvLayout> ChooseTransposedBlocks(
    const target::Target& target, const graph::Conv2dTransposeAttrs& attrs,
    const graph::TensorType& data, const graph::TensorType& weights);

bool TransposedPhasesApply(const OpInstance& op, const target::Target& target);

// The result, tagged "conv2d_transpose", each convolution tagged "phase".
te::Tensor TransposedPhases(const OpInstance& op, const Operands& in,
                            const target::Target& target, const Config& config);

// The space and the default of conv_tile.h, for rows as long as those of the
// data.
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

// The plain implementation. The spread data is a stage tagged "pad", the result
// one tagged "reduction".
bool SpreadConv2dTransposeApplies(const OpInstance& op,
                                  const target::Target& target);
te::Tensor SpreadConv2dTranspose(const OpInstance& op, const Operands& in,
                                 const target::Target& target,
                                 const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_
