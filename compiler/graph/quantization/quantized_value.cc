#include "compiler/graph/quantization/quantized_value.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

int64_t Product(const Shape& shape, size_t end) {
  return std::accumulate(shape.begin(), shape.begin() + end, int64_t{1},
                         std::multiplies<>());
}

// The axis of the result of a reshape that is axis `axis` of its operand, or
// nullopt if the axis is split or merged.
std::optional<int64_t> AxisAfterReshape(const Shape& from, const Shape& to,
                                        int64_t axis) {
  const int64_t before = Product(from, axis);
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] == from[axis] && Product(to, i) == before) {
      return static_cast<int64_t>(i);
    }
  }
  return std::nullopt;
}

// The axis of the result of `mover` that is axis `x.axis` of its operand, or
// nullopt if the result has no such axis. The axis of a value with one scale is
// irrelevant.
std::optional<int64_t> AxisAfter(const Node* mover, const QuantizedValue& x) {
  if (x.per_tensor()) return 0;
  if (mover->kind() == OpKind::kReshape) {
    return AxisAfterReshape(x.q.type().shape, mover->type().shape, x.axis);
  }
  if (mover->kind() == OpKind::kTranspose) {
    const auto& perm = mover->attrs_as<TransposeAttrs>().perm;
    return std::find(perm.begin(), perm.end(), x.axis) - perm.begin();
  }
  return std::nullopt;
}

// The attributes with which the operator of `mover` moves integers.
std::optional<Attrs> IntegerAttrs(const Node* mover, const QuantizedValue& x) {
  if (mover->kind() != OpKind::kPad) return mover->attrs();
  PadAttrs attrs = mover->attrs_as<PadAttrs>();
  const std::optional<int64_t> zero = IntSplatOf(x.zero);
  if (!zero.has_value() || attrs.value != 0) return std::nullopt;
  attrs.value = static_cast<float>(*zero);
  return attrs;
}

bool Moves(OpKind kind) {
  return kind == OpKind::kReshape || kind == OpKind::kTranspose ||
         kind == OpKind::kSlice || kind == OpKind::kBroadcastTo ||
         kind == OpKind::kPad || kind == OpKind::kConcat;
}

}  // namespace

absl::StatusOr<std::optional<QuantizedValue>> FindQuantized(FoldingBuilder& add,
                                                            Value value) {
  const Node* node = value.node;
  if (node->kind() == OpKind::kDequantize) {
    return QuantizedValue{node->input(0), node->input(1), node->input(2),
                          node->attrs_as<QuantizeAttrs>().axis};
  }
  if (!Moves(node->kind())) return std::nullopt;
  std::optional<QuantizedValue> first;
  std::vector<Value> operands;
  for (const Value operand : node->inputs()) {
    ASSAY_ASSIGN_OR_RETURN(const auto x, FindQuantized(add, operand));
    if (!x.has_value()) return std::nullopt;
    if (!first.has_value()) first = x;
    if (!SameParameter(x->scale, first->scale) ||
        !SameParameter(x->zero, first->zero)) {
      return std::nullopt;
    }
    operands.push_back(x->q);
  }
  const std::optional<int64_t> axis = AxisAfter(node, *first);
  const std::optional<Attrs> attrs = IntegerAttrs(node, *first);
  if (!axis.has_value() || !attrs.has_value()) return std::nullopt;
  ASSAY_ASSIGN_OR_RETURN(first->q, add.Add(node->kind(), *attrs, operands));
  first->axis = *axis;
  return first;
}

std::optional<int64_t> IntSplatOf(Value value) {
  const NDArray* array = ConstantOf(value);
  if (array == nullptr || array->dtype().is_float() ||
      array->num_elements() == 0) {
    return std::nullopt;
  }
  const int64_t first = LoadInt(*array, 0);
  for (int64_t i = 1; i < array->num_elements(); ++i) {
    if (LoadInt(*array, i) != first) return std::nullopt;
  }
  return first;
}

bool SameParameter(Value a, Value b) {
  if (a == b) return true;
  if (a.node->kind() == OpKind::kMultiply &&
      b.node->kind() == OpKind::kMultiply) {
    return SameParameter(a.node->input(0), b.node->input(0)) &&
           SameParameter(a.node->input(1), b.node->input(1));
  }
  const NDArray *x = ConstantOf(a), *y = ConstantOf(b);
  return x != nullptr && y != nullptr && x->dtype() == y->dtype() &&
         x->num_elements() == y->num_elements() &&
         std::memcmp(x->raw(), y->raw(), x->num_bytes()) == 0;
}

}  // namespace assay::graph
