// TopK, and Unique, whose results have a bounded dynamic dimension.
#include <algorithm>

#include "compiler/frontend/onnx/operators/flat_rows.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/builder/run_time_extents.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

absl::StatusOr<int64_t> ReadAxis(OpImport& op, int64_t absent) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t axis,
                         op.attributes().Int("axis", absent));
  return NormalizeAxis(op, "attribute `axis`", axis, op.InputType(0).rank());
}

absl::Status ImportTopK(OpImport& op) {
  const Value x = op.Input(0);
  graph::ArgSortAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.axis, ReadAxis(op, x.type().rank() - 1));
  attrs.descending = true;
  if (op.opset() >= 11) {
    ASSAY_ASSIGN_OR_RETURN(attrs.descending,
                           op.attributes().Flag("largest", true));
    // If unset, any order is allowed.
    ASSAY_RETURN_IF_ERROR(op.attributes().Flag("sorted", true).status());
  }
  RunTimeInt k;
  if (op.opset() < 10) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t number, op.attributes().Int("k", 0));
    k = RunTimeInt::Number(number);
  } else {
    ASSAY_ASSIGN_OR_RETURN(const auto ks, IntsOf(op, 1, "k"));
    if (ks.size() != 1) {
      return Malformed("input 1 (k) is ", op.InputType(1).ToString(),
                       " but one number is needed");
    }
    k = ks[0];
  }
  attrs.k = k.high;
  if (!k.is_number()) {
    attrs.k = std::min(k.high, x.type().shape[static_cast<size_t>(attrs.axis)]);
  }
  ASSAY_ASSIGN_OR_RETURN(Value indices, op.Add(OpKind::kArgSort, attrs, {x}));
  ASSAY_ASSIGN_OR_RETURN(indices, Bounded(op, indices, attrs.axis, k));
  ASSAY_ASSIGN_OR_RETURN(const Value values,
                         op.Add(OpKind::kGatherElements,
                                graph::GatherAttrs{attrs.axis}, {x, indices}));
  op.SetResults({values, indices});
  return absl::OkStatus();
}

absl::Status ImportUnique(OpImport& op) {
  graph::UniqueAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.sorted, op.attributes().Flag("sorted", true));
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, ReadRows(op));
  attrs.axis = rows.axis;
  ASSAY_ASSIGN_OR_RETURN(const Value all,
                         op.Add(OpKind::kUnique, attrs, {rows.x}));
  const Value inverse = {all.node, 1};
  const RunTimeInt extent = CountOf(op, {all.node, 3}, all.type().shape[0]);
  ASSAY_ASSIGN_OR_RETURN(const Value first,
                         Bounded(op, all, /*axis=*/0, extent));
  ASSAY_ASSIGN_OR_RETURN(const Value counts,
                         Bounded(op, {all.node, 2}, /*axis=*/0, extent));
  ASSAY_ASSIGN_OR_RETURN(
      const Value y,
      op.Add(OpKind::kGather, graph::GatherAttrs{rows.axis}, {rows.x, first}));
  op.SetResults({y, first, inverse, counts});
  return absl::OkStatus();
}

constexpr OperatorRow kOperators[] = {
    {"TopK", 1, 1, 1, 1, 2, ImportTopK},
    {"TopK", 10, 24, 2, 2, 2, ImportTopK},
    {"Unique", 11, 28, 1, 1, 4, ImportUnique},
};

}  // namespace

absl::Span<const OperatorRow> SortingOperators() { return kOperators; }

}  // namespace assay::frontend
