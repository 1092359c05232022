#include "compiler/graph/reference/element.h"
#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {

NDArray Dense(const NDArray& x, const NDArray& weights,
              const TensorType& type) {
  return Matmul(x, Transpose(weights, {1, 0}), type);
}

NDArray PackedDense(const NDArray& x, const NDArray& weights,
                    const TensorType& type) {
  const int64_t rows = type.shape[0], columns = type.shape[1];
  const int64_t depth = x.shape()[1];
  const int64_t packed = weights.shape()[1], width = weights.shape()[2];
  NDArray result(type.dtype, type.shape);
  const std::vector<double> a = AsDoubles(x), w = AsDoubles(weights);
  for (int64_t n = 0; n < rows; ++n) {
    for (int64_t m = 0; m < columns; ++m) {
      const int64_t panel = m / width * packed;
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k) {
        sum += a[n * depth + k] * w[(panel + k) * width + m % width];
      }
      StoreSum(result, n * columns + m, sum);
    }
  }
  return result;
}

}  // namespace assay::graph::reference
