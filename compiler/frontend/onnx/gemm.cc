// Gemm: alpha * A' * B' + beta * C, where A' and B' may be transposed and C
// broadcasts to the product. The graph's dense takes [n,k] and [m,k], which is
// Gemm with transB=1.
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "compiler/graph/infer/infer_types.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::Value;

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

}  // namespace

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
  ASSAY_ASSIGN_OR_RETURN(const Value c, Scale(op, op.Input(2), beta));
  return op.SetResult(op.Add(OpKind::kAdd, NoAttrs(), {y, c}));
}

}  // namespace assay::frontend
