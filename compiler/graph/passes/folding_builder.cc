#include "compiler/graph/passes/folding_builder.h"

#include <algorithm>
#include <utility>

#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/element.h"

namespace assay::graph {

absl::StatusOr<Value> FoldingBuilder::Add(OpKind kind, Attrs attrs,
                                          const std::vector<Value>& operands) {
  const bool constant =
      std::all_of(operands.begin(), operands.end(),
                  [](Value x) { return ConstantOf(x) != nullptr; });
  return constant
             ? InsertFolded(graph_, kind, std::move(attrs), operands, before_)
             : Insert(graph_, kind, std::move(attrs), operands, before_);
}

Value FoldingBuilder::Constant(NDArray value) {
  return {graph_.AddConstant(std::move(value), "", before_)};
}

Value FoldingBuilder::IntScalar(DType dtype, int64_t value) {
  NDArray scalar(dtype, {});
  StoreInt(scalar, 0, value);
  return Constant(std::move(scalar));
}

absl::StatusOr<Value> FoldingBuilder::Cast(Value x, DType dtype) {
  if (x.type().dtype == dtype) return x;
  return Add(OpKind::kCast, CastAttrs{dtype}, {x});
}

absl::StatusOr<Value> FoldingBuilder::Reshape(Value x, const Shape& shape) {
  if (x.type().shape == shape) return x;
  return Add(OpKind::kReshape, ReshapeAttrs{shape}, {x});
}

}  // namespace assay::graph
