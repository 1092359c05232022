// conv2d_transpose as a convolution: the data with zeros between and around its
// elements, correlated with the weights turned round. A stride of s multiplies
// s * s times as many zeros as numbers.
#ifndef ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_
#define ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// The spread data is a stage tagged "pad", the result one tagged "reduction".
te::Tensor Conv2dTranspose(const OpInstance& op, const Operands& in,
                           const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_TRANSPOSED_CONV_H_
