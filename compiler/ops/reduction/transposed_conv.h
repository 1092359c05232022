// conv2d_transpose as a convolution: the data with zeros between and around its
// elements, correlated with the weights turned round. A stride of s multiplies
// s * s times as many zeros as numbers.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_TRANSPOSED_CONV_H_
#define ASSAY_COMPILER_OPS_REDUCTION_TRANSPOSED_CONV_H_

#include "compiler/graph/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The spread data is a stage tagged "pad", the result one tagged "reduction".
te::Tensor Conv2dTranspose(const te::Tensor& data, const te::Tensor& weights,
                           const graph::Conv2dTransposeAttrs& attrs,
                           const Shape& output);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_TRANSPOSED_CONV_H_
