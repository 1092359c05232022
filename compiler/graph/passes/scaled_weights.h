// ScaledWeights: multiplies the constant weights of a convolution or dense
// product, as batch normalization and scales are folded into them.
//
// Folding rounds the weights instead of the results. It needs finite numbers:
// an infinite weight would turn a 0 in the data into NaN.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_SCALED_WEIGHTS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_SCALED_WEIGHTS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "runtime/base/ndarray.h"

namespace assay::graph {

// Returns the float32 `weights` [filters, channels, …], where the weights of
// filter o and channel i are multiplied by scale(o, i). Returns nullopt if a
// product is not finite.
std::optional<NDArray> ScaledWeights(
    const NDArray& weights,
    const std::function<double(int64_t filter, int64_t channel)>& scale);

// Returns true if all `values` are finite numbers in float32.
bool AreFinite(const std::vector<double>& values);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_SCALED_WEIGHTS_H_
