// softmax, log_softmax and layer_norm: a few reductions of each row and a map.
#ifndef ASSAY_COMPILER_OPS_NORMALIZATION_NORMALIZATION_H_
#define ASSAY_COMPILER_OPS_NORMALIZATION_NORMALIZATION_H_

#include <cstdint>

#include "compiler/ops/config_space.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// exp(x - m) / sum of exp(x - m) along `axis`, with m the maximum along it.
// Where the axis is the last, its rows are row reductions (row_reduce.h) and
// `config` is read; otherwise the two reductions are stages of their own,
// vectorized along the last axis.
te::Tensor Softmax(const te::Tensor& x, int64_t axis, const Config& config);
// x - m - log(sum of exp(x - m)).
te::Tensor LogSoftmax(const te::Tensor& x, int64_t axis, const Config& config);

// (x - mean) / sqrt(variance + epsilon) * scale + bias with mean and variance
// over the axes from `axis` on; scale and bias have the shape of those axes.
te::Tensor LayerNorm(const te::Tensor& x, const te::Tensor& scale,
                     const te::Tensor& bias, int64_t axis, float epsilon,
                     const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_NORMALIZATION_NORMALIZATION_H_
