// Softmax, LogSoftmax and Hardmax. Since opset 13 they work along one axis;
// before, the data is taken as a matrix whose rows are all axes from `axis` on.
#include "compiler/frontend/onnx/compose.h"
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

struct Rows {
  Value x;  // not of 16-bit floats
  int64_t axis = 0;
};

absl::StatusOr<Rows> ReadRows(OpImport& op) {
  const graph::TensorType type = op.InputType(0);
  const bool flattens = op.opset() < 13;
  ASSAY_ASSIGN_OR_RETURN(const int64_t given,
                         op.attributes().Int("axis", flattens ? 1 : -1));
  Rows rows;
  ASSAY_ASSIGN_OR_RETURN(
      rows.axis, NormalizeAxis(op, "attribute `axis`", given, type.rank()));
  ASSAY_ASSIGN_OR_RETURN(rows.x,
                         ConvertedTo(op, op.Input(0), SumType(type.dtype)));
  if (!flattens || rows.axis == type.rank() - 1) return rows;
  const auto all = absl::MakeConstSpan(type.shape);
  const Shape matrix = {NumElements(all.subspan(0, rows.axis)),
                        NumElements(all.subspan(rows.axis))};
  ASSAY_ASSIGN_OR_RETURN(rows.x, op.AddReshape(rows.x, matrix));
  rows.axis = 1;
  return rows;
}

// The result for the rows, as the data was.
absl::Status Finish(OpImport& op, Value y) {
  ASSAY_ASSIGN_OR_RETURN(y, op.AddReshape(y, op.InputType(0).shape));
  return op.SetResult(ConvertedTo(op, y, op.InputType(0).dtype));
}

absl::Status Softmax(OpImport& op, OpKind kind) {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, ReadRows(op));
  ASSAY_ASSIGN_OR_RETURN(
      const Value y, op.Add(kind, graph::SoftmaxAttrs{rows.axis}, {rows.x}));
  return Finish(op, y);
}

}  // namespace

absl::Status ImportSoftmax(OpImport& op) {
  return Softmax(op, OpKind::kSoftmax);
}

absl::Status ImportLogSoftmax(OpImport& op) {
  return Softmax(op, OpKind::kLogSoftmax);
}

// 1 where a row has its largest element.
absl::Status ImportHardmax(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, ReadRows(op));
  graph::ArgReduceAttrs attrs;
  attrs.axis = rows.axis;
  attrs.keepdims = true;
  ASSAY_ASSIGN_OR_RETURN(const Value largest,
                         op.Add(OpKind::kArgMax, attrs, {rows.x}));
  const graph::TensorType& type = rows.x.type();
  ASSAY_ASSIGN_OR_RETURN(
      const Value positions,
      AddPositions(op, type.shape[rows.axis], rows.axis, type.rank()));
  ASSAY_ASSIGN_OR_RETURN(
      const Value is_largest,
      op.Add(OpKind::kEqual, graph::NoAttrs(), {largest, positions}));
  return Finish(op, is_largest);
}

}  // namespace assay::frontend
