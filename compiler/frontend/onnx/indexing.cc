// Operators that read and write at computed indices, sort, or run along an
// axis: GatherElements, GatherND, Scatter, ScatterElements, ScatterND, TopK and
// CumSum.
#include <string>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::ScatterReduction;
using graph::Value;

absl::StatusOr<int64_t> ReadAxis(OpImport& op, int64_t absent) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis,
                         op.attributes().Int("axis", absent));
  return NormalizeAxis(op, "attribute `axis`", axis, op.InputType(0).rank());
}

// Which values of the attribute there are grew with the opset.
absl::StatusOr<ScatterReduction> ReadReduction(OpImport& op) {
  if (op.opset() < 16) return ScatterReduction::kNone;
  ASSAY_ASSIGN_OR_RETURN(const std::string text,
                         op.attributes().String("reduction", "none"));
  if (text == "none") return ScatterReduction::kNone;
  if (text == "add") return ScatterReduction::kAdd;
  if (text == "mul") return ScatterReduction::kMultiply;
  if (op.opset() >= 18 && text == "max") return ScatterReduction::kMaximum;
  if (op.opset() >= 18 && text == "min") return ScatterReduction::kMinimum;
  return Malformed("attribute `reduction` is ", Quote(text), " but none, add",
                   op.opset() >= 18 ? ", mul, max or min" : " or mul",
                   " is needed");
}

}  // namespace

absl::Status ImportGatherElements(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis, ReadAxis(op, 0));
  ASSAY_ASSIGN_OR_RETURN(const Value indices, AddIndices(op, 1));
  return op.SetResult(op.Add(OpKind::kGatherElements, graph::GatherAttrs{axis},
                             {op.Input(0), indices}));
}

absl::Status ImportGatherND(OpImport& op) {
  graph::GatherNdAttrs attrs;
  if (op.opset() >= 12) {
    ASSAY_ASSIGN_OR_RETURN(attrs.batch_dims,
                           op.attributes().Int("batch_dims", 0));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value indices, AddIndices(op, 1));
  return op.SetResult(op.Add(OpKind::kGatherNd, attrs, {op.Input(0), indices}));
}

absl::Status ImportScatterElements(OpImport& op) {
  graph::ScatterElementsAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.axis, ReadAxis(op, 0));
  ASSAY_ASSIGN_OR_RETURN(attrs.reduction, ReadReduction(op));
  ASSAY_ASSIGN_OR_RETURN(const Value indices, AddIndices(op, 1));
  return op.SetResult(op.Add(OpKind::kScatterElements, attrs,
                             {op.Input(0), indices, op.Input(2)}));
}

absl::Status ImportScatterND(OpImport& op) {
  graph::ScatterNdAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.reduction, ReadReduction(op));
  ASSAY_ASSIGN_OR_RETURN(const Value indices, AddIndices(op, 1));
  return op.SetResult(
      op.Add(OpKind::kScatterNd, attrs, {op.Input(0), indices, op.Input(2)}));
}

absl::Status ImportTopK(OpImport& op) {
  const Value x = op.Input(0);
  graph::ArgSortAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.axis, ReadAxis(op, x.type().rank() - 1));
  attrs.descending = true;
  if (op.opset() >= 11) {
    ASSAY_ASSIGN_OR_RETURN(attrs.descending,
                           op.attributes().Flag("largest", true));
    // Without it any order will do, so this one.
    ASSAY_RETURN_IF_ERROR(op.attributes().Flag("sorted", true).status());
  }
  if (op.opset() < 10) {
    ASSAY_ASSIGN_OR_RETURN(attrs.k, op.attributes().Int("k", 0));
  } else {
    ASSAY_ASSIGN_OR_RETURN(const auto k, op.ConstantInts(1, "k"));
    if (k.size() != 1) {
      return Malformed("input 1 (k) is ", op.InputType(1).ToString(),
                       " but one number is needed");
    }
    attrs.k = k[0];
  }
  ASSAY_ASSIGN_OR_RETURN(const Value indices,
                         op.Add(OpKind::kArgSort, attrs, {x}));
  ASSAY_ASSIGN_OR_RETURN(const Value values,
                         op.Add(OpKind::kGatherElements,
                                graph::GatherAttrs{attrs.axis}, {x, indices}));
  op.SetResults({values, indices});
  return absl::OkStatus();
}

absl::Status ImportCumSum(OpImport& op) {
  graph::CumSumAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis,
                         ConstantInteger(op.Input(1), "input 1 (axis)"));
  ASSAY_ASSIGN_OR_RETURN(attrs.axis, NormalizeAxis(op, "input 1 (axis)", axis,
                                                   op.InputType(0).rank()));
  ASSAY_ASSIGN_OR_RETURN(attrs.exclusive,
                         op.attributes().Flag("exclusive", false));
  ASSAY_ASSIGN_OR_RETURN(attrs.reverse, op.attributes().Flag("reverse", false));
  return op.SetResult(op.Add(OpKind::kCumSum, attrs, {op.Input(0)}));
}

}  // namespace assay::frontend
