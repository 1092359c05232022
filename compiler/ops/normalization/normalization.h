// softmax, log_softmax and layer_norm: two reductions of each row, followed by
// an elementwise operation that uses their results.
#ifndef ASSAY_COMPILER_OPS_NORMALIZATION_NORMALIZATION_H_
#define ASSAY_COMPILER_OPS_NORMALIZATION_NORMALIZATION_H_

#include <cstdint>

#include "compiler/ops/config_space.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Computes exp(x - m) / sum(exp(x - m)) along `axis`, where m is the maximum
// along `axis`. If `axis` is the last axis, both reductions are row reductions
// with configuration `config` (row_reduce.h). Otherwise both reductions are
// stages with tag "reduction", and `config` is not used.
te::Tensor Softmax(const te::Tensor& x, int64_t axis, const Config& config);
// Computes x - m - log(sum(exp(x - m))) along `axis`, with the same kinds of
// reductions as Softmax.
te::Tensor LogSoftmax(const te::Tensor& x, int64_t axis, const Config& config);

// Computes (x - mean) / sqrt(variance + epsilon) * scale + bias. Mean and
// variance are taken over axis `axis` and all axes after it; `scale` and `bias`
// have the extents of these axes. Both reductions are row reductions with
// configuration `config` (row_reduce.h).
te::Tensor LayerNorm(const te::Tensor& x, const te::Tensor& scale,
                     const te::Tensor& bias, int64_t axis, float epsilon,
                     const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_NORMALIZATION_NORMALIZATION_H_
