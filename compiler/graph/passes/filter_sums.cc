#include "compiler/graph/passes/filter_sums.h"

#include <cstdint>
#include <vector>

#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// The int32 sums of constant weights. They are computed without a conversion of
// the weights to int32, because many products may have the same weights.
NDArray SumsOf(OpKind kind, const NDArray& weights) {
  const Shape& shape = weights.shape();
  const bool is_matmul = kind == OpKind::kMatmul;
  Shape result = {shape[0]};
  if (is_matmul) {
    result = shape;
    result[shape.size() - 2] = 1;
  }
  const int64_t columns = is_matmul ? shape.back() : 1;
  const int64_t count = NumElements(result);
  const int64_t filter = count == 0 ? 0 : weights.num_elements() / count;
  std::vector<uint64_t> totals(count);
  int64_t place = 0;
  for (int64_t first = 0; first < count; first += columns) {
    for (int64_t i = 0; i < filter; ++i) {
      for (int64_t column = 0; column < columns; ++column) {
        totals[first + column] +=
            static_cast<uint64_t>(LoadInt(weights, place++));
      }
    }
  }
  NDArray sums(DType::Int32(), result);
  for (int64_t i = 0; i < count; ++i) {
    StoreInt(sums, i, static_cast<int64_t>(totals[i]));
  }
  return sums;
}

absl::StatusOr<Value> Sums(FoldingBuilder& add, const Node* node,
                           Value weights) {
  const NDArray* constant = ConstantOf(weights);
  if (constant != nullptr) {
    const Value sums = add.Constant(SumsOf(node->kind(), *constant));
    add.graph().SetSources(sums.node, {});
    add.graph().MergeSources(sums.node, weights.node);
    return sums;
  }
  ASSAY_ASSIGN_OR_RETURN(const Value wide, add.Cast(weights, DType::Int32()));
  ReduceAttrs sum;
  const int64_t rank = weights.type().rank();
  if (node->kind() == OpKind::kMatmul) {
    sum.axes = {rank - 2};
    sum.keepdims = true;
  } else {
    for (int64_t axis = 1; axis < rank; ++axis) sum.axes.push_back(axis);
  }
  return add.Add(OpKind::kReduceSum, sum, {wide});
}

}  // namespace

absl::StatusOr<Value> FilterSums(FoldingBuilder& add, const Node* node,
                                 Value weights, Value zero) {
  ASSAY_ASSIGN_OR_RETURN(Value sums, Sums(add, node, weights));
  if (node->kind() == OpKind::kConv2d) {
    const int64_t filters = sums.type().num_elements();
    ASSAY_ASSIGN_OR_RETURN(sums, add.Reshape(sums, {filters, 1, 1}));
  }
  ASSAY_ASSIGN_OR_RETURN(zero, add.Cast(zero, DType::Int32()));
  ASSAY_ASSIGN_OR_RETURN(zero, add.Reshape(zero, {}));
  return add.Add(OpKind::kMultiply, NoAttrs(), {sums, zero});
}

}  // namespace assay::graph
