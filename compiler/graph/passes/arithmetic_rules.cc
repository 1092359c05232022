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

bool AllOf(Value constant, bool (*holds)(float)) {
  const NDArray* array = ConstantOf(constant);
  if (array == nullptr || array->dtype() != DType::Float32()) return false;
  const auto data = array->data<float>();
  return std::all_of(data.begin(), data.end(), holds);
}

// Returns true if no element of `x` is -0. The sums of products begin with +0,
// which stays +0 when -0 is added.
bool IsNeverNegativeZero(Value x) {
  const Node* node = x.node;
  switch (node->kind()) {
    case OpKind::kConv2d:
    case OpKind::kConv2dTranspose:
    case OpKind::kDense:
    case OpKind::kMatmul:
    case OpKind::kReduceSum:
    case OpKind::kAbs:
    case OpKind::kExp:
    case OpKind::kSigmoid:
      return true;
    case OpKind::kAdd: {
      // A sum is -0 only if both operands are.
      const auto has_no_negative_zero = [](float v) {
        return v != 0 || !std::signbit(v);
      };
      return AllOf(node->input(0), has_no_negative_zero) ||
             AllOf(node->input(1), has_no_negative_zero);
    }
    default:
      return false;
  }
}

// Returns true if the operator returns its operand `x` for a right operand
// `c`. x + 0 does not if x is -0: the sum is +0.
bool IsNeutral(OpKind kind, double c, Value x) {
  const bool is_float = x.type().dtype.is_float();
  switch (kind) {
    case OpKind::kAdd:
      return c == 0 && (!is_float || std::signbit(c) || IsNeverNegativeZero(x));
    case OpKind::kSubtract:
      return c == 0 &&
             (!is_float || !std::signbit(c) || IsNeverNegativeZero(x));
    case OpKind::kMultiply:
    case OpKind::kDivide:
    case OpKind::kPower:
      return c == 1;
    default:
      return false;
  }
}

Value WithoutNeutral(const Node* node) {
  if (!IsBinary(node->kind())) return {};
  for (const int i : {1, 0}) {
    if (i == 0 && !IsCommutative(node->kind())) break;
    const Value x = node->input(1 - i);
    const std::optional<double> c = SplatOf(node->input(i));
    if (c.has_value() && x.type() == node->type() &&
        IsNeutral(node->kind(), *c, x)) {
      return x;
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

// Returns true if (x * c) * d is x * (c * d) for every float x: if one of the
// constants changes the sign only, or if both are powers of two that do not
// make x smaller, so that the inner product is exact or overflows like the
// outer one.
bool ProductsAreExact(Value c, Value d) {
  const auto is_sign = [](float v) { return std::fabs(v) == 1; };
  if (AllOf(c, is_sign) || AllOf(d, is_sign)) return true;
  // The product of two of these is finite.
  const auto is_small_power_of_two = [](float v) {
    int exponent = 0;
    const float fraction = std::fabs(std::frexp(v, &exponent));
    return fraction == 0.5F && exponent >= 1 && exponent <= 64;
  };
  return AllOf(c, is_small_power_of_two) && AllOf(d, is_small_power_of_two);
}

// Returns true if the two constants of an operator of this kind can be joined.
// Integers wrap around; floats are rounded after each operator.
bool MayJoin(OpKind kind, Value c, Value d) {
  if (!c.type().dtype.is_float()) return true;
  return kind == OpKind::kMultiply && ProductsAreExact(c, d);
}

// (x + c) + d to x + (c + d), and the same for products.
absl::StatusOr<Value> JoinConstants(Graph& graph, Node* node) {
  if (!IsCommutative(node->kind())) return Value{};
  const auto outer = MatchConstant(node);
  if (!outer.has_value() || outer->x.node->kind() != node->kind() ||
      !HasOneUse(graph, outer->x.node)) {
    return Value{};
  }
  const auto inner = MatchConstant(outer->x.node);
  if (!inner.has_value() ||
      !MayJoin(node->kind(), inner->constant, outer->constant)) {
    return Value{};
  }
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

// Returns true if x / c is x * (1 / c) for every x: if each element of `c` is a
// power of two whose reciprocal is not subnormal.
bool IsInvertible(Value c) {
  return AllOf(c, [](float v) {
    int exponent = 0;
    return std::fabs(std::frexp(v, &exponent)) == 0.5F && std::isnormal(v) &&
           std::isnormal(1 / v);
  });
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

// A range: min(max(x, low), high), or NaN if x is NaN.
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
      if (std::isnan(attrs.min) || std::isnan(attrs.max)) return std::nullopt;
      return Range{node->input(0), std::min(attrs.min, attrs.max), attrs.max};
    }
    case OpKind::kMaximum:
    case OpKind::kMinimum:
      for (const int i : {1, 0}) {
        const std::optional<double> bound = SplatOf(node->input(i));
        const Value x = node->input(1 - i);
        if (!bound.has_value() || x.type() != node->type()) continue;
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
  const bool from_zero = range->low == 0 && !std::signbit(range->low);
  if (from_zero && range->high == kInfinity) {
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
