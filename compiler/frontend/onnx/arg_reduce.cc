// ArgMax and ArgMin.
#include "compiler/frontend/onnx/compose.h"
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;

absl::Status ArgReduce(OpImport& op, OpKind kind) {
  const graph::Value x = op.Input(0);
  graph::ArgReduceAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis, op.attributes().Int("axis", 0));
  ASSAY_ASSIGN_OR_RETURN(
      attrs.axis, NormalizeAxis(op, "attribute `axis`", axis, x.type().rank()));
  ASSAY_ASSIGN_OR_RETURN(attrs.keepdims,
                         op.attributes().Flag("keepdims", true));
  if (op.opset() >= 12) {
    ASSAY_ASSIGN_OR_RETURN(attrs.last,
                           op.attributes().Flag("select_last_index", false));
  }
  // What compares alike.
  ASSAY_ASSIGN_OR_RETURN(const graph::Value wide,
                         ConvertedTo(op, x, SumType(x.type().dtype)));
  return op.SetResult(op.Add(kind, attrs, {wide}));
}

}  // namespace

absl::Status ImportArgMax(OpImport& op) {
  return ArgReduce(op, OpKind::kArgMax);
}

absl::Status ImportArgMin(OpImport& op) {
  return ArgReduce(op, OpKind::kArgMin);
}

}  // namespace assay::frontend
