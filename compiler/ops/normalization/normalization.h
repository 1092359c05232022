// softmax, log_softmax and layer_norm: reductions of each row, then a map.
#ifndef ASSAY_COMPILER_OPS_NORMALIZATION_NORMALIZATION_H_
#define ASSAY_COMPILER_OPS_NORMALIZATION_NORMALIZATION_H_

#include <cstdint>

#include "compiler/ops/config_space.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Computes exp(x - m) / sum(exp(x - m)) along `axis`, where m is the maximum
// along it. If `axis` is the last one, both reductions are row reductions
// (row_reduce.h) configured by `config`; otherwise they are separate stages,
// vectorized along the last axis.
te::Tensor Softmax(const te::Tensor& x, int64_t axis, const Config& config);
// Computes x - m - log(sum(exp(x - m))), scheduled likewise.
te::Tensor LogSoftmax(const te::Tensor& x, int64_t axis, const Config& config);

// Computes (x - mean) / sqrt(variance + epsilon) * scale + bias, with mean and
// variance over axes `axis` and up; scale and bias have the shape of those.
te::Tensor LayerNorm(const te::Tensor& x, const te::Tensor& scale,
                     const te::Tensor& bias, int64_t axis, float epsilon,
                     const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_NORMALIZATION_NORMALIZATION_H_
