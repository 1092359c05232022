// MatMul (products.h), Gemm, Einsum and Det. Gemm is alpha * A' * B' + beta *
// C, where A' and B' may be transposed and C broadcasts to the product; the
// graph's dense takes [n,k] and [m,k] and is Gemm with transB=1. Det expands
// small matrices into products.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/products.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/builder/einsum.h"
#include "compiler/graph/infer/infer_types.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::ReshapeAttrs;
using graph::Value;

absl::StatusOr<Value> WithShape(OpImport& op, Value value, Shape shape) {
  return op.Add(OpKind::kReshape, ReshapeAttrs{std::move(shape)}, {value});
}

}  // namespace

absl::StatusOr<Value> AddMatMul(OpImport& op, Value a, Value b) {
  const bool row = a.type().rank() == 1, column = b.type().rank() == 1;
  for (const Value x : {a, b}) {
    if (x.type().rank() == 0) {
      return Malformed("input ", x == a ? 0 : 1, " is ", x.type().ToString(),
                       " but rank 1 or more is needed");
    }
  }
  if (row) {
    ASSAY_ASSIGN_OR_RETURN(a, WithShape(op, a, {1, a.type().shape[0]}));
  }
  if (column) {
    ASSAY_ASSIGN_OR_RETURN(b, WithShape(op, b, {b.type().shape[0], 1}));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kMatmul, NoAttrs(), {a, b}));
  if (!row && !column) return y;
  Shape shape = y.type().shape;
  if (column) shape.pop_back();
  if (row) shape.erase(shape.end() - (column ? 1 : 2));
  return WithShape(op, y, shape);
}

namespace {

// Sums of float16 and bfloat16 are computed in float32.
absl::Status ImportMatMul(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         AddMatMul(op, op.Input(0), op.Input(1)));
  return op.SetResult(ConvertedTo(op, y, op.InputType(0).dtype));
}

// `value`, or `factor` times it.
absl::StatusOr<Value> Scale(OpImport& op, Value value, float factor) {
  if (factor == 1.0f) return value;
  return AddWithScalar(op, OpKind::kMultiply, value, factor);
}

absl::StatusOr<Value> Product(OpImport& op, bool trans_a, bool trans_b) {
  for (int i = 0; i < 2; ++i) {
    if (op.InputType(i).rank() != 2) {
      return Malformed("input ", i, " is ", op.InputType(i).ToString(),
                       " but rank 2 is needed");
    }
  }
  const Shape& left = op.InputType(0).shape;
  const Shape& right = op.InputType(1).shape;
  if (left[trans_a ? 0 : 1] != right[trans_b ? 1 : 0]) {
    return Malformed("inputs ", op.InputType(0).ToString(),
                     " (transA=", trans_a ? 1 : 0, ") and ",
                     op.InputType(1).ToString(), " (transB=", trans_b ? 1 : 0,
                     ") do not multiply");
  }
  Value a = op.Input(0);
  Value b = op.Input(1);
  if (trans_a) {
    ASSAY_ASSIGN_OR_RETURN(a, op.AddTranspose(a, {1, 0}));
  }
  if (!trans_b) {
    ASSAY_ASSIGN_OR_RETURN(b, op.AddTranspose(b, {1, 0}));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kDense, NoAttrs(), {a, b}));
  return ConvertedTo(op, y, a.type().dtype);
}

absl::Status ImportGemm(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const float alpha,
                         op.attributes().Float("alpha", 1.0f));
  ASSAY_ASSIGN_OR_RETURN(const float beta, op.attributes().Float("beta", 1.0f));
  ASSAY_ASSIGN_OR_RETURN(const bool trans_a,
                         op.attributes().Flag("transA", false));
  ASSAY_ASSIGN_OR_RETURN(const bool trans_b,
                         op.attributes().Flag("transB", false));
  ASSAY_ASSIGN_OR_RETURN(const Value product, Product(op, trans_a, trans_b));
  ASSAY_ASSIGN_OR_RETURN(const Value y, Scale(op, product, alpha));
  if (!op.HasInput(2)) return op.SetResult(y);
  const auto sum =
      graph::BroadcastShapes(y.type().shape, op.InputType(2).shape);
  if (!sum.ok() || *sum != y.type().shape) {
    return Malformed("input 2 is ", op.InputType(2).ToString(),
                     ", which does not broadcast to the product ",
                     y.type().ToString());
  }
  // As in BLAS, the operand is not read if it is multiplied by 0, so that a NaN
  // or infinity in it has no effect.
  if (beta == 0) return op.SetResult(y);
  ASSAY_ASSIGN_OR_RETURN(const Value c, Scale(op, op.Input(2), beta));
  return op.SetResult(op.Add(OpKind::kAdd, NoAttrs(), {y, c}));
}

absl::Status ImportGemmOpset6(OpImport& op) {
  // ImportGemm checks that the third operand broadcasts.
  ASSAY_RETURN_IF_ERROR(op.attributes().Flag("broadcast", false).status());
  return ImportGemm(op);
}

// 24 products of four elements.
constexpr int64_t kMaxOrder = 4;

// Returns true if the permutation is odd.
bool IsOdd(const std::vector<int64_t>& perm) {
  bool odd = false;
  for (size_t i = 0; i < perm.size(); ++i) {
    for (size_t j = 0; j < i; ++j) odd ^= perm[j] > perm[i];
  }
  return odd;
}

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

absl::Status ImportEinsum(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(std::string equation,
                         op.attributes().String("equation", ""));
  return op.SetResult(graph::AddEinsum(op, std::move(equation), op.inputs()));
}

constexpr OperatorRow kOperators[] = {
    {"Det", 11, 22, 1, 1, 1, ImportDet},
    {"Einsum", 12, 28, 1, kAnyNumber, 1, ImportEinsum},
    {"Gemm", 6, 6, 3, 3, 1, ImportGemmOpset6},
    {"Gemm", 7, 9, 3, 3, 1, ImportGemm},
    {"Gemm", 11, 13, 2, 3, 1, ImportGemm},
    {"MatMul", 1, 13, 2, 2, 1, ImportMatMul},
};

}  // namespace

absl::Span<const OperatorRow> MatmulOperators() { return kOperators; }

}  // namespace assay::frontend
