#include "compiler/graph/passes/filter_sums.h"

#include "runtime/base/status_macros.h"

namespace assay::graph {

absl::StatusOr<Value> FilterSums(FoldingBuilder& add, const Node* node,
                                 Value weights, Value zero) {
  ASSAY_ASSIGN_OR_RETURN(const Value wide, add.Cast(weights, DType::Int32()));
  ReduceAttrs sum;
  const int64_t rank = weights.type().rank();
  if (node->kind() == OpKind::kMatmul) {
    sum.axes = {rank - 2};
    sum.keepdims = true;
  } else {
    for (int64_t axis = 1; axis < rank; ++axis) sum.axes.push_back(axis);
  }
  ASSAY_ASSIGN_OR_RETURN(Value sums, add.Add(OpKind::kReduceSum, sum, {wide}));
  if (node->kind() == OpKind::kConv2d) {
    const int64_t filters = sums.type().num_elements();
    ASSAY_ASSIGN_OR_RETURN(sums, add.Reshape(sums, {filters, 1, 1}));
  }
  ASSAY_ASSIGN_OR_RETURN(zero, add.Cast(zero, DType::Int32()));
  ASSAY_ASSIGN_OR_RETURN(zero, add.Reshape(zero, {}));
  return add.Add(OpKind::kMultiply, NoAttrs(), {sums, zero});
}

}  // namespace assay::graph
