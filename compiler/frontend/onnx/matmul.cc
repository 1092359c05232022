// MatMul: the graph's matmul, after an operand of rank 1 was made a row (on the
// left) or a column (on the right), whose axis the result then loses again.
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
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

absl::Status ImportMatMul(OpImport& op) {
  Value a = op.Input(0), b = op.Input(1);
  for (int i = 0; i < 2; ++i) {
    if (op.InputType(i).rank() == 0) {
      return Malformed("input ", i, " is ", op.InputType(i).ToString(),
                       " but rank 1 or more is needed");
    }
  }
  const bool row = a.type().rank() == 1, column = b.type().rank() == 1;
  if (row) {
    ASSAY_ASSIGN_OR_RETURN(a, WithShape(op, a, {1, a.type().shape[0]}));
  }
  if (column) {
    ASSAY_ASSIGN_OR_RETURN(b, WithShape(op, b, {b.type().shape[0], 1}));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kMatmul, NoAttrs(), {a, b}));
  if (!row && !column) return op.SetResult(y);
  Shape shape = y.type().shape;
  if (column) shape.pop_back();
  if (row) shape.erase(shape.end() - (column ? 1 : 2));
  return op.SetResult(WithShape(op, y, shape));
}

}  // namespace assay::frontend
