#include "compiler/frontend/onnx/operators/bodies.h"

#include <algorithm>

#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OperandAxis;
using graph::OpKind;
using graph::Value;

// Returns x with `limit` elements along an axis that is not bounded. Elements
// beyond the extent of x have no meaning.
absl::StatusOr<Value> AddUnbounded(OpImport& op, Value x, int axis,
                                   int64_t limit) {
  graph::PadAttrs pad;
  pad.before.assign(x.type().shape.size(), 0);
  pad.after = pad.before;
  const auto d = static_cast<size_t>(axis);
  pad.after[d] = limit - x.type().shape[d];
  if (pad.after[d] > 0) {
    return op.AddNode(OpKind::kPad, pad, {x}, {OperandAxis{0, axis}});
  }
  if (op.bounded_dims().Find(x, axis) == nullptr) return x;
  return op.AddNode(OpKind::kReshape, graph::ReshapeAttrs{x.type().shape}, {x},
                    {OperandAxis{0, axis}});
}

}  // namespace

absl::StatusOr<const onnx::GraphProto*> ReadBody(OpImport& op,
                                                 absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const onnx::GraphProto* body,
                         op.attributes().OptionalGraph(name));
  if (body == nullptr) {
    return Malformed("attribute ", Quote(name), " is missing");
  }
  return body;
}

absl::StatusOr<Value> TensorResult(const std::vector<ImportValue>& results,
                                   size_t i) {
  if (results[i].is_tensor()) return results[i].tensor();
  return Malformed("result ", i, " of the body is ", results[i].KindName(),
                   " but a tensor is needed");
}

absl::StatusOr<Value> AddSelected(OpImport& op, const RunTimeInt& condition,
                                  Value yes, Value no, absl::string_view what) {
  if (yes == no) return yes;
  if (yes.type().dtype != no.type().dtype ||
      yes.type().rank() != no.type().rank()) {
    return Unsupported(what, " is ", yes.type().ToString(), " or ",
                       no.type().ToString(),
                       ", which only the values of the inputs decide");
  }
  RunTimeMath math(op);
  const Value chosen = math.Scalar(condition, DType::Bool());
  std::vector<RunTimeInt> extents;
  std::vector<int> axes;
  for (int d = 0; d < yes.type().rank(); ++d) {
    const RunTimeInt of_yes = ExtentOf(op, yes, d);
    const RunTimeInt of_no = ExtentOf(op, no, d);
    if (of_yes == of_no) continue;
    axes.push_back(d);
    extents.push_back(math.Select(condition, of_yes, of_no));
    ASSAY_RETURN_IF_ERROR(math.status());
    const auto axis = static_cast<size_t>(d);
    const int64_t limit =
        std::max(yes.type().shape[axis], no.type().shape[axis]);
    ASSAY_ASSIGN_OR_RETURN(yes, AddUnbounded(op, yes, d, limit));
    ASSAY_ASSIGN_OR_RETURN(no, AddUnbounded(op, no, d, limit));
  }
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_ASSIGN_OR_RETURN(Value y,
                         op.Add(OpKind::kSelect, NoAttrs(), {chosen, yes, no}));
  for (size_t i = 0; i < axes.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(y, Bounded(op, y, axes[i], extents[i]));
  }
  return y;
}

absl::StatusOr<ImportValue> AddCarried(OpImport& op, const RunTimeInt& runs,
                                       const ImportValue& before,
                                       const ImportValue& after,
                                       absl::string_view what) {
  if (runs.is_number()) return runs.low != 0 ? after : before;
  if (!before.is_tensor() || !after.is_tensor()) {
    return Unsupported(what,
                       " is no tensor, and the number of iterations is known "
                       "only when the model runs");
  }
  const Value x = before.tensor(), y = after.tensor();
  if (x.type().dtype != y.type().dtype ||
      ExtentsOf(op, x) != ExtentsOf(op, y)) {
    return Unsupported(what, " is ", x.type().ToString(),
                       " before an iteration and ", y.type().ToString(),
                       " after it; it must keep its shape if the number of "
                       "iterations is known only when the model runs");
  }
  ASSAY_ASSIGN_OR_RETURN(const Value selected,
                         AddSelected(op, runs, y, x, what));
  return ImportValue(selected);
}

}  // namespace assay::frontend
