// Add, Mul and Relu. Since opset 7 the binary operators broadcast as Numpy
// does, which is what the graph IR does.
#include "compiler/frontend/onnx/operators.h"

namespace assay::frontend {

using graph::NoAttrs;
using graph::OpKind;

absl::Status ImportAdd(OpImport& op) {
  return op.SetResult(op.Add(OpKind::kAdd, NoAttrs(), op.inputs()));
}

absl::Status ImportMul(OpImport& op) {
  return op.SetResult(op.Add(OpKind::kMultiply, NoAttrs(), op.inputs()));
}

absl::Status ImportRelu(OpImport& op) {
  return op.SetResult(op.Add(OpKind::kRelu, NoAttrs(), op.inputs()));
}

}  // namespace assay::frontend
