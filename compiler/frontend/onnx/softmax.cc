// Softmax and LogSoftmax.
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

// Since opset 13 along one axis. Before, the data is taken as a matrix whose
// rows are all axes from `axis` on.
// float16 and bfloat16 by way of float32.
absl::Status Softmax(OpImport& op, OpKind kind) {
  const DType type = op.InputType(0).dtype;
  ASSAY_ASSIGN_OR_RETURN(
      const Value x, ConvertedTo(op, op.Input(0),
                                 type.bits() == 16 ? DType::Float32() : type));
  const Shape& shape = x.type().shape;
  const int64_t rank = x.type().rank();
  const bool one_axis = op.opset() >= 13;
  ASSAY_ASSIGN_OR_RETURN(const int64_t given,
                         op.attributes().Int("axis", one_axis ? -1 : 1));
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis,
                         NormalizeAxis(op, "attribute `axis`", given, rank));
  Value y = x;
  if (one_axis || axis == rank - 1) {
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(kind, graph::SoftmaxAttrs{axis}, {x}));
  } else {
    const auto all = absl::MakeConstSpan(shape);
    ASSAY_ASSIGN_OR_RETURN(y,
                           op.AddReshape(x, {NumElements(all.subspan(0, axis)),
                                             NumElements(all.subspan(axis))}));
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(kind, graph::SoftmaxAttrs{1}, {y}));
    ASSAY_ASSIGN_OR_RETURN(y, op.AddReshape(y, shape));
  }
  return op.SetResult(ConvertedTo(op, y, type));
}

}  // namespace

absl::Status ImportSoftmax(OpImport& op) {
  return Softmax(op, OpKind::kSoftmax);
}

absl::Status ImportLogSoftmax(OpImport& op) {
  return Softmax(op, OpKind::kLogSoftmax);
}

}  // namespace assay::frontend
