#include <vector>

#include "compiler/graph/reference/layout.h"
#include "compiler/graph/reference/rules.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

// Offset of the matrix of operand `x` that broadcasting assigns to matrix
// number `batch` of the result.
int64_t MatrixOffset(const NDArray& x, const TensorType& type, int64_t batch) {
  const int rank = static_cast<int>(x.shape().size());
  const int skipped = type.rank() - rank;
  int64_t offset = 0;
  int64_t stride = x.shape()[rank - 2] * x.shape()[rank - 1];
  for (int d = type.rank() - 3; d >= 0; --d) {
    const int64_t index = batch % type.shape[d];
    batch /= type.shape[d];
    if (d < skipped) continue;
    const int64_t extent = x.shape()[d - skipped];
    if (extent > 1) offset += index * stride;
    stride *= extent;
  }
  return offset;
}

template <typename T>
NDArray Products(const NDArray& a, const NDArray& b, const std::vector<T>& xs,
                 const std::vector<T>& ws, const TensorType& type) {
  const int64_t rows = type.shape[type.rank() - 2];
  const int64_t columns = type.shape[type.rank() - 1];
  const int64_t depth = a.shape().back();
  NDArray result(type.dtype, type.shape);
  int64_t next = 0;
  const int64_t matrices =
      rows * columns == 0 ? 0 : type.num_elements() / (rows * columns);
  for (int64_t batch = 0; batch < matrices; ++batch) {
    const T* x = xs.data() + MatrixOffset(a, type, batch);
    const T* w = ws.data() + MatrixOffset(b, type, batch);
    for (int64_t m = 0; m < rows; ++m) {
      // Computes all sums of a row together, so that w is read row by row.
      std::vector<T> sums(static_cast<size_t>(columns), 0);
      for (int64_t k = 0; k < depth; ++k) {
        const T value = x[m * depth + k];
        const T* row = w + k * columns;
        for (int64_t n = 0; n < columns; ++n) sums[n] += value * row[n];
      }
      for (const T sum : sums) StoreSum(result, next++, sum);
    }
  }
  return result;
}

NDArray Product(const NDArray& a, const NDArray& b, const TensorType& type) {
  if (type.dtype.is_float()) {
    return Products(a, b, AsDoubles(a), AsDoubles(b), type);
  }
  return Products(a, b, AsIntegers(a), AsIntegers(b), type);
}

}  // namespace

Result Matmul(const Node& node, Operands in) {
  return Product(in[0], in[1], node.type());
}

Result Dense(const Node& node, Operands in) {
  return Product(in[0], Permute(in[1], {1, 0}), node.type());
}

Result PackedDense(const Node& node, Operands in) {
  const NDArray& x = in[0];
  const NDArray& weights = in[1];
  const TensorType& type = node.type();
  const int64_t rows = type.shape[0], columns = type.shape[1];
  const int64_t depth = x.shape()[1];
  // Integers have several neighbours of a column next to each other.
  const int64_t factors = weights.shape().size() == 4 ? weights.shape()[3] : 1;
  const int64_t steps = weights.shape()[1], width = weights.shape()[2];
  NDArray result(type.dtype, type.shape);
  const std::vector<double> a = AsDoubles(x), w = AsDoubles(weights);
  for (int64_t n = 0; n < rows; ++n) {
    for (int64_t m = 0; m < columns; ++m) {
      const int64_t panel = m / width * steps;
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k) {
        const int64_t step = (panel + k / factors) * width + m % width;
        sum += a[n * depth + k] * w[step * factors + k % factors];
      }
      StoreSum(result, n * columns + m, sum);
    }
  }
  return result;
}

}  // namespace assay::graph::reference
