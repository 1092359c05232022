#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "compiler/graph/passes/algebra_rules.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool IsCommutative(OpKind kind) {
  return kind == OpKind::kAdd || kind == OpKind::kMultiply;
}

// The neutral right operand of the operator; for a commutative operator also
// the neutral left operand.
std::optional<double> NeutralOf(OpKind kind) {
  switch (kind) {
    case OpKind::kAdd:
    case OpKind::kSubtract:
      return 0;
    case OpKind::kMultiply:
    case OpKind::kDivide:
    case OpKind::kPower:
      return 1;
    default:
      return std::nullopt;
  }
}

Value WithoutNeutral(const Node* node) {
  const std::optional<double> neutral = NeutralOf(node->kind());
  if (!neutral.has_value()) return {};
  for (const int i : {1, 0}) {
    if (i == 0 && !IsCommutative(node->kind())) break;
    if (SplatOf(node->input(i)) == neutral &&
        node->input(1 - i).type() == node->type()) {
      return node->input(1 - i);
    }
  }
  return {};
}

Value WithoutInverse(const Node* node) {
  const Node* inner = node->input(0).node;
  if (inner->kind() != node->kind()) return {};
  if (node->kind() == OpKind::kNegate) return inner->input(0);
  if (node->kind() == OpKind::kAbs) return node->input(0);
  return {};
}

// A binary operator split into its constant and its other operand.
struct WithConstant {
  Value x;
  Value constant;
};

std::optional<WithConstant> MatchConstant(const Node* node) {
  for (const int i : {1, 0}) {
    if (ConstantOf(node->input(i)) != nullptr &&
        ConstantOf(node->input(1 - i)) == nullptr) {
      return WithConstant{node->input(1 - i), node->input(i)};
    }
  }
  return std::nullopt;
}

// Reassociation rounds differently, by too much for floats of 16 bits.
bool MayReorder(DType dtype) { return !dtype.is_float() || dtype.bits() >= 32; }

// (x + c) + d to x + (c + d), and the same for products.
absl::StatusOr<Value> JoinConstants(Graph& graph, Node* node) {
  if (!IsCommutative(node->kind()) || !MayReorder(node->type().dtype)) {
    return Value{};
  }
  const auto outer = MatchConstant(node);
  if (!outer.has_value() || outer->x.node->kind() != node->kind() ||
      !HasOneUse(graph, outer->x.node)) {
    return Value{};
  }
  const auto inner = MatchConstant(outer->x.node);
  if (!inner.has_value()) return Value{};
  const int64_t largest = std::max(inner->constant.type().num_elements(),
                                   outer->constant.type().num_elements());
  const bool one_shape = inner->constant.type() == outer->constant.type();
  const bool one_single = inner->constant.type().num_elements() == 1 ||
                          outer->constant.type().num_elements() == 1;
  // Otherwise the joined constant could be larger than both.
  if (largest == 0 || !(one_shape || one_single)) return Value{};
  ASSAY_ASSIGN_OR_RETURN(
      const Value joined,
      InsertFolded(graph, node->kind(), NoAttrs(),
                   {inner->constant, outer->constant}, node));
  return Insert(graph, node->kind(), NoAttrs(), {inner->x, joined}, node);
}

// Returns true if no reciprocal of an element overflows or underflows.
bool IsInvertible(Value constant) {
  const NDArray& array = *ConstantOf(constant);
  if (array.dtype() != DType::Float32()) return false;
  for (const float v : array.data<float>()) {
    if (!(std::fabs(v) > 1e-30f && std::fabs(v) < 1e30f)) return false;
  }
  return true;
}

// x - c to x + (-c), and x / c to x * (1 / c).
absl::StatusOr<Value> WithoutDifference(Graph& graph, Node* node) {
  const bool subtract = node->kind() == OpKind::kSubtract;
  if ((!subtract && node->kind() != OpKind::kDivide) ||
      ConstantOf(node->input(1)) == nullptr ||
      ConstantOf(node->input(0)) != nullptr) {
    return Value{};
  }
  if (!subtract && !IsInvertible(node->input(1))) return Value{};
  ASSAY_ASSIGN_OR_RETURN(
      const Value inverse,
      InsertFolded(graph, subtract ? OpKind::kNegate : OpKind::kReciprocal,
                   NoAttrs(), {node->input(1)}, node));
  return Insert(graph, subtract ? OpKind::kAdd : OpKind::kMultiply, NoAttrs(),
                {node->input(0), inverse}, node);
}

// A range: min(max(x, low), high).
struct Range {
  Value x;
  float low = -kInfinity;
  float high = kInfinity;

  float operator()(float v) const { return std::min(std::max(v, low), high); }
};

std::optional<Range> RangeOf(const Node* node) {
  if (node->type().dtype != DType::Float32()) return std::nullopt;
  switch (node->kind()) {
    case OpKind::kRelu:
      return Range{node->input(0), 0, kInfinity};
    case OpKind::kClip: {
      const auto& attrs = node->attrs_as<ClipAttrs>();
      return Range{node->input(0), std::min(attrs.min, attrs.max), attrs.max};
    }
    case OpKind::kMaximum:
    case OpKind::kMinimum:
      for (const int i : {1, 0}) {
        const std::optional<double> bound = SplatOf(node->input(i));
        const Value x = node->input(1 - i);
        if (!bound.has_value() || std::isnan(*bound) ||
            x.type() != node->type()) {
          continue;
        }
        const auto v = static_cast<float>(*bound);
        return node->kind() == OpKind::kMaximum ? Range{x, v, kInfinity}
                                                : Range{x, -kInfinity, v};
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// Replaces consecutive operators that limit a range by one.
absl::StatusOr<Value> JoinRanges(Graph& graph, Node* node) {
  std::optional<Range> range = RangeOf(node);
  if (!range.has_value()) return Value{};
  const Node* below = range->x.node;
  const std::optional<Range> inner =
      below->num_outputs() == 1 && HasOneUse(graph, below) ? RangeOf(below)
                                                           : std::nullopt;
  if (inner.has_value()) {
    range = Range{inner->x, (*range)(inner->low), (*range)(inner->high)};
  } else if (!IsBinary(node->kind())) {
    return Value{};
  }
  if (range->low == 0 && range->high == kInfinity) {
    return Insert(graph, OpKind::kRelu, NoAttrs(), {range->x}, node);
  }
  return Insert(graph, OpKind::kClip, ClipAttrs{range->low, range->high},
                {range->x}, node);
}

// Returns true if `to` represents every value of `from`.
bool Holds(DType to, DType from) {
  if (from.is_bool()) return true;
  if (from.is_float())
    return to.code() == DType::Code::kFloat && to.bits() > from.bits();
  if (!to.is_int() && !to.is_uint()) return false;
  if (from.is_int() && to.is_uint()) return false;
  return to.bits() > from.bits();
}

absl::StatusOr<Value> JoinCasts(Graph& graph, Node* node) {
  if (node->kind() != OpKind::kCast) return Value{};
  const Value x = node->input(0);
  if (x.type() == node->type()) return x;
  if (x.node->kind() != OpKind::kCast ||
      !Holds(x.type().dtype, x.node->input(0).type().dtype)) {
    return Value{};
  }
  if (x.node->input(0).type() == node->type()) return x.node->input(0);
  return Insert(graph, OpKind::kCast, node->attrs(), {x.node->input(0)}, node);
}

}  // namespace

absl::StatusOr<Value> SimplifyArithmetic(Graph& graph, Node* node) {
  if (const Value x = WithoutNeutral(node); x.node != nullptr) return x;
  if (const Value x = WithoutInverse(node); x.node != nullptr) return x;
  for (const auto rule :
       {JoinConstants, WithoutDifference, JoinRanges, JoinCasts}) {
    ASSAY_ASSIGN_OR_RETURN(const Value value, rule(graph, node));
    if (value.node != nullptr) return value;
  }
  return Value{};
}

}  // namespace assay::graph
