// Concat, Gather and Transpose.
#include <numeric>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

// The indices as int64. Constant ones are each inside an axis of `extent`
// elements, and counted from the front.
absl::StatusOr<Value> ReadIndices(OpImport& op, int64_t extent) {
  ASSAY_ASSIGN_OR_RETURN(const Value given, AddIndices(op, 1));
  if (given.node->kind() != OpKind::kConstant) return given;
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

}  // namespace

absl::Status ImportConcat(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto given, op.attributes().OptionalInt("axis"));
  if (!given.has_value()) return Malformed("attribute `axis` is missing");
  ASSAY_ASSIGN_OR_RETURN(
      const int64_t axis,
      NormalizeAxis(op, "attribute `axis`", *given, op.InputType(0).rank()));
  return op.SetResult(
      op.Add(OpKind::kConcat, graph::ConcatAttrs{axis}, op.inputs()));
}

absl::Status ImportGather(OpImport& op) {
  const graph::TensorType& data = op.InputType(0);
  ASSAY_ASSIGN_OR_RETURN(const int64_t given, op.attributes().Int("axis", 0));
  ASSAY_ASSIGN_OR_RETURN(
      const int64_t axis,
      NormalizeAxis(op, "attribute `axis`", given, data.rank()));
  ASSAY_ASSIGN_OR_RETURN(const Value indices,
                         ReadIndices(op, data.shape[axis]));
  return op.SetResult(op.Add(OpKind::kGather, graph::GatherAttrs{axis},
                             {op.Input(0), indices}));
}

absl::Status ImportTranspose(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         op.attributes().OptionalInts("perm"));
  // Without a permutation the axes are reversed.
  std::vector<int64_t> perm(op.InputType(0).rank());
  std::iota(perm.rbegin(), perm.rend(), 0);
  return op.SetResult(op.AddTranspose(op.Input(0), given.value_or(perm)));
}

}  // namespace assay::frontend
