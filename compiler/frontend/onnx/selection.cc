// Compress, NonZero and Unique: what is selected, and so how much, is known
// only when the model runs. Their results have bounded extents
// (compiler/graph/bounds.h).
#include <optional>
#include <vector>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

// Where the elements are not 0: int64[rank, at most n].
absl::StatusOr<Value> AddNonZero(OpImport& op, Value x) {
  ASSAY_ASSIGN_OR_RETURN(const Value indices,
                         op.Add(OpKind::kNonZero, graph::NoAttrs(), {x}));
  op.SetBound(indices, /*axis=*/1, {indices.node, 1});
  return indices;
}

// The data and the axis; without the attribute the data in one row.
struct Rows {
  Value x;
  int64_t axis = 0;
};

absl::StatusOr<Rows> ReadRows(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const std::optional<int64_t> axis,
                         op.attributes().OptionalInt("axis"));
  Rows rows;
  if (axis.has_value()) {
    rows.x = op.Input(0);
    ASSAY_ASSIGN_OR_RETURN(
        rows.axis,
        NormalizeAxis(op, "attribute `axis`", *axis, op.InputType(0).rank()));
  } else {
    ASSAY_ASSIGN_OR_RETURN(
        rows.x, op.AddReshape(op.Input(0), {op.InputType(0).num_elements()}));
  }
  return rows;
}

}  // namespace

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
                         op.AddReshape(found, condition.shape));
  return op.SetResult(op.Add(OpKind::kGather, graph::GatherAttrs{rows.axis},
                             {rows.x, indices}));
}

absl::Status ImportUnique(OpImport& op) {
  graph::UniqueAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.sorted, op.attributes().Flag("sorted", true));
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, ReadRows(op));
  attrs.axis = rows.axis;
  ASSAY_ASSIGN_OR_RETURN(const Value first,
                         op.Add(OpKind::kUnique, attrs, {rows.x}));
  const Value inverse = {first.node, 1}, counts = {first.node, 2};
  const Value extent = {first.node, 3};
  op.SetBound(first, /*axis=*/0, extent);
  op.SetBound(counts, /*axis=*/0, extent);
  ASSAY_ASSIGN_OR_RETURN(
      const Value y,
      op.Add(OpKind::kGather, graph::GatherAttrs{rows.axis}, {rows.x, first}));
  op.SetResults({y, first, inverse, counts});
  return absl::OkStatus();
}

}  // namespace assay::frontend
