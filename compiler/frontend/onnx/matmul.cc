// MatMul (products.h).
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/products.h"
#include "compiler/frontend/onnx/scalar.h"
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

// float16 and bfloat16 are summed in float32.
absl::Status ImportMatMul(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         AddMatMul(op, op.Input(0), op.Input(1)));
  return op.SetResult(ConvertedTo(op, y, op.InputType(0).dtype));
}

}  // namespace assay::frontend
