#include <algorithm>
#include <vector>

#include "compiler/graph/encoding/encode.h"
#include "compiler/graph/reference/rules.h"
#include "compiler/graph/reference/sums.h"
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

// The number of matrices in a stack [..., rows, columns].
int64_t NumMatrices(const TensorType& type) {
  const int64_t size =
      type.shape[type.rank() - 2] * type.shape[type.rank() - 1];
  return size == 0 ? 0 : type.num_elements() / size;
}

// Products of integers of up to 64 bits, which wrap around.
NDArray WrappedProducts(const NDArray& a, const NDArray& b,
                        const TensorType& type) {
  const int64_t rows = type.shape[type.rank() - 2];
  const int64_t columns = type.shape[type.rank() - 1];
  const int64_t depth = a.shape().back();
  const std::vector<uint64_t> xs = AsIntegers(a), ws = AsIntegers(b);
  NDArray result(type.dtype, type.shape);
  int64_t next = 0;
  for (int64_t batch = 0; batch < NumMatrices(type); ++batch) {
    const uint64_t* x = xs.data() + MatrixOffset(a, type, batch);
    const uint64_t* w = ws.data() + MatrixOffset(b, type, batch);
    for (int64_t m = 0; m < rows; ++m) {
      // Computes all sums of a row together, so that w is read row by row.
      std::vector<uint64_t> sums(static_cast<size_t>(columns), 0);
      for (int64_t k = 0; k < depth; ++k) {
        const uint64_t value = x[m * depth + k];
        const uint64_t* row = w + k * columns;
        for (int64_t n = 0; n < columns; ++n) sums[n] += value * row[n];
      }
      for (const uint64_t sum : sums) StoreSum(result, next++, sum);
    }
  }
  return result;
}

// Products whose sums are doubles. Element k, n of the second operand is
// w[k * step + n * stride] of its matrix.
NDArray Products(const NDArray& a, const NDArray& b, int64_t step,
                 int64_t stride, const TensorType& type) {
  const int64_t rows = type.shape[type.rank() - 2];
  const int64_t columns = type.shape[type.rank() - 1];
  const int64_t depth = a.shape().back();
  const std::vector<double> xs = AsDoubles(a), ws = AsDoubles(b);
  NDArray result(type.dtype, type.shape);

  // Computes the block of the result that begins at `row` and `column`.
  const auto compute = [&](int64_t batch, int64_t row, int64_t column) {
    const int64_t height = std::min(kBlockRows, rows - row);
    const int64_t width = std::min(kBlockColumns, columns - column);
    const double* x = xs.data() + MatrixOffset(a, type, batch) + row * depth;
    const double* w =
        ws.data() + MatrixOffset(b, type, batch) + column * stride;
    BlockSums sums(height, width);
    for (int64_t k = 0; k < depth; k += kBlockSteps) {
      const int64_t steps = std::min(kBlockSteps, depth - k);
      double* panel = sums.Panel(steps);
      for (int64_t c = 0; c < width; ++c) {
        double* factors = panel + BlockSums::PanelIndex(c, 0, steps);
        for (int64_t t = 0; t < steps; ++t) {
          factors[t * kLanes] = w[(k + t) * step + c * stride];
        }
      }
      sums.Add(x + k, depth, steps);
    }
    for (int64_t r = 0; r < height; ++r) {
      const int64_t first = (batch * rows + row + r) * columns + column;
      for (int64_t c = 0; c < width; ++c) {
        StoreSum(result, first + c, sums.At(r, c));
      }
    }
  };

  const int64_t row_blocks = (rows + kBlockRows - 1) / kBlockRows;
  const int64_t column_blocks = (columns + kBlockColumns - 1) / kBlockColumns;
  ForEachInParallel(
      NumMatrices(type) * row_blocks * column_blocks,
      std::min(kBlockRows, rows) * std::min(kBlockColumns, columns) * depth,
      [&](int64_t index) {
        compute(index / (row_blocks * column_blocks),
                index / column_blocks % row_blocks * kBlockRows,
                index % column_blocks * kBlockColumns);
      });
  return result;
}

// Returns true if doubles hold all sums of products of two operands of these
// types exactly, or if the types are floats.
bool FitDoubles(DType a, DType b) {
  return a.is_float() || (a.bits() <= 16 && b.bits() <= 16);
}

}  // namespace

Result Matmul(const Node& node, Operands in) {
  if (!FitDoubles(in[0].dtype(), in[1].dtype())) {
    return WrappedProducts(in[0], in[1], node.type());
  }
  return Products(in[0], in[1], in[1].shape().back(), 1, node.type());
}

Result Dense(const Node& node, Operands in) {
  if (!FitDoubles(in[0].dtype(), in[1].dtype())) {
    return WrappedProducts(in[0], Permute(in[1], {1, 0}), node.type());
  }
  return Products(in[0], in[1], 1, in[1].shape().back(), node.type());
}

}  // namespace assay::graph::reference
