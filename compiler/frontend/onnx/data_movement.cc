// Concat, Gather and Transpose.
#include <algorithm>
#include <numeric>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

// Constant indices as int64, each inside an axis of `extent` elements and
// counted from the front.
absl::StatusOr<NDArray> ReadIndices(const OpImport& op, int64_t extent) {
  const NDArray* given = op.ConstantInput(1);
  if (given == nullptr) {
    return Unsupported(
        "input 1 (indices) is computed when the model runs; "
        "only constants are supported");
  }
  NDArray indices(DType::Int64(), given->shape());
  const auto out = indices.data<int64_t>();
  if (given->dtype() == DType::Int64()) {
    const auto in = given->data<int64_t>();
    std::copy(in.begin(), in.end(), out.begin());
  } else if (given->dtype() == DType::Int32()) {
    const auto in = given->data<int32_t>();
    std::copy(in.begin(), in.end(), out.begin());
  } else {
    return Malformed("input 1 (indices) is ", op.InputType(1).ToString(),
                     " but int32 or int64 is needed");
  }
  for (int64_t& index : out) {
    const int64_t lowest = op.opset() >= 11 ? -extent : 0;
    if (index < lowest || index >= extent) {
      return Malformed("input 1 (indices) has the index ", index,
                       " but the axis allows ", lowest, " to ", extent - 1);
    }
    if (index < 0) index += extent;
  }
  return indices;
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
  ASSAY_ASSIGN_OR_RETURN(NDArray indices, ReadIndices(op, data.shape[axis]));
  const Value constant = op.AddConstant(std::move(indices));
  return op.SetResult(op.Add(OpKind::kGather, graph::GatherAttrs{axis},
                             {op.Input(0), constant}));
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
