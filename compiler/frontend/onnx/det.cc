// Det, of matrices that are small enough to write all products out.
#include <algorithm>
#include <vector>

#include "compiler/frontend/onnx/compose.h"
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"

namespace assay::frontend {
namespace {

using graph::Value;

// 24 products of four elements.
constexpr int64_t kMaxOrder = 4;

// Whether an odd number of swaps makes the permutation.
bool IsOdd(const std::vector<int64_t>& perm) {
  bool odd = false;
  for (size_t i = 0; i < perm.size(); ++i) {
    for (size_t j = 0; j < i; ++j) odd ^= perm[j] > perm[i];
  }
  return odd;
}

}  // namespace

absl::Status ImportDet(OpImport& op) {
  const graph::TensorType type = op.InputType(0);
  const int64_t rank = type.rank();
  if (rank < 2 || type.shape[rank - 1] != type.shape[rank - 2]) {
    return Malformed("input 0 is ", type.ToString(),
                     " but square matrices are needed");
  }
  const int64_t order = type.shape[rank - 1];
  if (order < 1 || order > kMaxOrder) {
    return Unsupported("determinants of order ", order,
                       " are not supported; 1 to ", kMaxOrder, " are");
  }
  Compose c(op);
  const Value x = c.Cast(op.Input(0), SumType(type.dtype));
  std::vector<int64_t> perm = AxesBetween(0, order);
  Value sum;
  do {
    Value product;
    for (int64_t row = 0; row < order; ++row) {
      const Value element =
          c.Slice(c.Slice(x, rank - 2, row, 1), rank - 1, perm[row], 1);
      product = row == 0 ? element : c.Multiply(product, element);
    }
    if (sum.node == nullptr) {
      sum = product;
    } else {
      sum = IsOdd(perm) ? c.Subtract(sum, product) : c.Add(sum, product);
    }
  } while (std::next_permutation(perm.begin(), perm.end()));
  const Shape shape(type.shape.begin(), type.shape.end() - 2);
  return c.Finish({c.Cast(c.Reshape(sum, shape), type.dtype)});
}

}  // namespace assay::frontend
