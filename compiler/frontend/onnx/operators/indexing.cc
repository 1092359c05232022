// Gather, GatherElements, GatherND, ScatterElements and ScatterND; Compress and
// NonZero, whose results have a bounded dynamic dimension
// (compiler/graph/builder/bounded_dims.h).
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/operators/flat_rows.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/builder/run_time_extents.h"
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

// The allowed values of the attribute depend on the opset.
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

// The indices as int64. Constant indices are checked against an axis and
// counted from the front, unless the extent of the axis is computed when the
// model runs.
absl::StatusOr<Value> ReadIndices(OpImport& op, int64_t axis) {
  ASSAY_ASSIGN_OR_RETURN(const Value given, AddIndices(op, 1));
  const RunTimeInt exact = ExtentOf(op, op.Input(0), axis);
  if (given.node->kind() != OpKind::kConstant || !exact.is_number()) {
    return given;
  }
  const int64_t extent = exact.low;
  NDArray indices = given.node->attrs_as<graph::ConstantAttrs>().value.Clone();
  for (int64_t& index : indices.data<int64_t>()) {
    const int64_t lowest = op.opset() >= 11 ? -extent : 0;
    if (index < lowest || index >= extent) {
      return Malformed("input 1 (indices) has the index ", index,
                       " but the axis allows ", lowest, " to ", extent - 1);
    }
    if (index < 0) index += extent;
  }
  return op.AddConstant(std::move(indices));
}

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

absl::Status ImportGather(OpImport& op) {
  const graph::TensorType& data = op.InputType(0);
  ASSAY_ASSIGN_OR_RETURN(const int64_t given, op.attributes().Int("axis", 0));
  ASSAY_ASSIGN_OR_RETURN(
      const int64_t axis,
      NormalizeAxis(op, "attribute `axis`", given, data.rank()));
  ASSAY_ASSIGN_OR_RETURN(const Value indices, ReadIndices(op, axis));
  return op.SetResult(op.Add(OpKind::kGather, graph::GatherAttrs{axis},
                             {op.Input(0), indices}));
}

// The indices of the elements that are not 0: int64[rank, at most n]. Exporters
// write the operator again for each tensor that a mask selects from; the number
// of elements must then be known to be the same.
absl::StatusOr<Value> AddNonZero(OpImport& op, Value x) {
  const std::string key =
      absl::StrCat("non_zero %", x.node->id(), ".", x.index);
  const Value known = op.run_time_ints().Memo(key);
  if (known.node != nullptr) return known;
  ASSAY_ASSIGN_OR_RETURN(const Value indices,
                         op.Add(OpKind::kNonZero, graph::NoAttrs(), {x}));
  const RunTimeInt count =
      CountOf(op, {indices.node, 1}, x.type().num_elements());
  ASSAY_ASSIGN_OR_RETURN(const Value result,
                         Bounded(op, indices, /*axis=*/1, count));
  op.run_time_ints().Memo(key) = result;
  return result;
}

absl::Status ImportNonZero(OpImport& op) {
  return op.SetResult(AddNonZero(op, op.Input(0)));
}

absl::Status ImportCompress(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, ReadRows(op));
  const graph::TensorType& condition = op.InputType(1);
  if (condition.rank() != 1 || !condition.dtype.is_bool() ||
      condition.shape[0] > rows.x.type().shape[rows.axis]) {
    return Malformed("input 1 (condition) is ", condition.ToString(),
                     " but bool of rank 1 and at most ",
                     rows.x.type().shape[rows.axis], " elements is needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const Value found, AddNonZero(op, op.Input(1)));
  ASSAY_ASSIGN_OR_RETURN(const Value indices,
                         op.AddReshape(found, {found.type().shape[1]}));
  return op.SetResult(op.Add(OpKind::kGather, graph::GatherAttrs{rows.axis},
                             {rows.x, indices}));
}

constexpr OperatorRow kOperators[] = {
    {"Compress", 9, 28, 2, 2, 1, ImportCompress},
    {"Gather", 1, 13, 2, 2, 1, ImportGather},
    {"GatherElements", 11, 13, 2, 2, 1, ImportGatherElements},
    {"GatherND", 11, 13, 2, 2, 1, ImportGatherND},
    {"NonZero", 9, 13, 1, 1, 1, ImportNonZero},
    {"Scatter", 9, 9, 3, 3, 1, ImportScatterElements},
    {"ScatterElements", 11, 18, 3, 3, 1, ImportScatterElements},
    {"ScatterND", 11, 18, 3, 3, 1, ImportScatterND},
};

}  // namespace

absl::Span<const OperatorRow> IndexingOperators() { return kOperators; }

}  // namespace assay::frontend
