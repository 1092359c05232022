// Elementwise operators: arithmetic, Cast, activation functions, comparisons,
// logic and bitwise operators. Since opset 7 the binary operators broadcast as
// in numpy and in the graph IR.
#include <limits>
#include <optional>
#include <string>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::Value;

// An operator of the graph with the same operands and no attributes.
template <OpKind kind>
absl::Status ImportSame(OpImport& op) {
  return op.SetResult(op.Add(kind, graph::NoAttrs(), op.inputs()));
}

// op(op(x0, x1), x2) …; a single operand is the result itself.
absl::StatusOr<Value> Chain(OpImport& op, OpKind kind) {
  Value y = op.Input(0);
  for (int i = 1; i < op.num_inputs(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(kind, NoAttrs(), {y, op.Input(i)}));
  }
  return y;
}

// The bound in operand `i` of Clip: a scalar of the data's type.
absl::StatusOr<Value> Bound(OpImport& op, int i) {
  if (op.InputType(i).num_elements() != 1) {
    return Malformed("input ", i, " is ", op.InputType(i).ToString(),
                     " but a scalar is needed");
  }
  return op.AddReshape(op.Input(i), {});
}

// The type in which a power of `base` is computed; the exponent may have
// another type.
DType PowerType(DType base, DType exponent) {
  if (base == exponent) return base;
  const bool wide = base.bits() == 64 || exponent == DType::Float64();
  if (base.is_float()) return wide ? DType::Float64() : DType::Float32();
  return exponent.is_float() ? DType::Float64() : DType::Int64();
}

absl::Status CastTo(OpImport& op, DType type) {
  // These attributes apply to 8-bit floats only, which are not supported.
  if (op.opset() >= 19) {
    ASSAY_RETURN_IF_ERROR(op.attributes().Flag("saturate", true).status());
  }
  if (op.opset() >= 24) {
    ASSAY_RETURN_IF_ERROR(op.attributes().String("round_mode", "up").status());
  }
  if (type == op.InputType(0).dtype) return op.SetResult(op.Input(0));
  return op.SetResult(
      op.Add(OpKind::kCast, graph::CastAttrs{type}, {op.Input(0)}));
}

absl::Status ImportSum(OpImport& op) {
  return op.SetResult(Chain(op, OpKind::kAdd));
}

absl::Status ImportMax(OpImport& op) {
  return op.SetResult(Chain(op, OpKind::kMaximum));
}

absl::Status ImportMin(OpImport& op) {
  return op.SetResult(Chain(op, OpKind::kMinimum));
}

absl::Status ImportMean(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value sum, Chain(op, OpKind::kAdd));
  ASSAY_ASSIGN_OR_RETURN(const Value count, AddScalar(op, op.num_inputs()));
  return op.SetResult(op.Add(OpKind::kDivide, NoAttrs(), {sum, count}));
}

// pow(x, 0.5), which differs from sqrt(x) for -infinity and -0: the results are
// infinity and 0.
absl::StatusOr<Value> SquareRootPower(OpImport& op, Value x) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  ASSAY_ASSIGN_OR_RETURN(Value y, op.Add(OpKind::kSqrt, NoAttrs(), {x}));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kAbs, NoAttrs(), {y}));
  ASSAY_ASSIGN_OR_RETURN(const Value infinity, AddScalar(op, kInfinity));
  ASSAY_ASSIGN_OR_RETURN(const Value is_least,
                         AddWithScalar(op, OpKind::kEqual, x, -kInfinity));
  return op.Add(OpKind::kSelect, NoAttrs(), {is_least, infinity, y});
}

absl::Status ImportPow(OpImport& op) {
  const Value x = op.Input(0);
  const DType type = x.type().dtype;
  const std::optional<float> exponent = KnownScalar(op, 1);
  if (exponent == 1.0f) return op.SetResult(x);
  if (exponent == 2.0f || exponent == 3.0f) {
    ASSAY_ASSIGN_OR_RETURN(Value y,
                           op.Add(OpKind::kMultiply, NoAttrs(), {x, x}));
    if (exponent == 3.0f) {
      ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMultiply, NoAttrs(), {y, x}));
    }
    return op.SetResult(y);
  }
  if (type.is_float() && exponent == 0.5f) {
    return op.SetResult(SquareRootPower(op, x));
  }
  if (type.is_float() && exponent == -1.0f) {
    return op.SetResult(op.Add(OpKind::kReciprocal, NoAttrs(), {x}));
  }
  const DType common = PowerType(type, op.InputType(1).dtype);
  ASSAY_ASSIGN_OR_RETURN(const Value base, ConvertedTo(op, x, common));
  ASSAY_ASSIGN_OR_RETURN(const Value power,
                         ConvertedTo(op, op.Input(1), common));
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kPower, NoAttrs(), {base, power}));
  return op.SetResult(ConvertedTo(op, y, type));
}

absl::Status ImportPRelu(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kPrelu, NoAttrs(), op.inputs()));
  if (y.type() != op.InputType(0)) {
    return Malformed("the slope is ", op.InputType(1).ToString(),
                     ", which does not broadcast to the data ",
                     op.InputType(0).ToString());
  }
  return op.SetResult(y);
}

absl::Status ImportClipAttributes(OpImport& op) {
  graph::ClipAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(
      attrs.min,
      op.attributes().Float("min", std::numeric_limits<float>::lowest()));
  ASSAY_ASSIGN_OR_RETURN(
      attrs.max,
      op.attributes().Float("max", std::numeric_limits<float>::max()));
  return op.SetResult(op.Add(OpKind::kClip, attrs, {op.Input(0)}));
}

absl::Status ImportClipInputs(OpImport& op) {
  // The attributes of clip are float32.
  const DType type = op.InputType(0).dtype;
  const bool fits = type.is_float() && type.bits() <= 32;
  const bool has_min = op.HasInput(1), has_max = op.HasInput(2);
  const std::optional<float> min = KnownScalar(op, 1);
  const std::optional<float> max = KnownScalar(op, 2);
  if (fits && has_min == min.has_value() && has_max == max.has_value()) {
    graph::ClipAttrs attrs;
    attrs.min = min.value_or(attrs.min);
    attrs.max = max.value_or(attrs.max);
    return op.SetResult(op.Add(OpKind::kClip, attrs, {op.Input(0)}));
  }
  Value y = op.Input(0);
  if (has_min) {
    ASSAY_ASSIGN_OR_RETURN(const Value bound, Bound(op, 1));
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMaximum, NoAttrs(), {y, bound}));
  }
  if (has_max) {
    ASSAY_ASSIGN_OR_RETURN(const Value bound, Bound(op, 2));
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMinimum, NoAttrs(), {y, bound}));
  }
  return op.SetResult(y);
}

absl::Status ImportCast(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto to, op.attributes().OptionalInt("to"));
  if (!to.has_value()) return Malformed("attribute `to` is missing");
  ASSAY_ASSIGN_OR_RETURN(const DType type, ElementType(*to, "attribute `to`"));
  return CastTo(op, type);
}

absl::Status ImportCastLike(OpImport& op) {
  return CastTo(op, op.InputType(1).dtype);
}

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
absl::StatusOr<Value> TanhGelu(OpImport& op) {
  const Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(Value y, op.Add(OpKind::kMultiply, NoAttrs(), {x, x}));
  ASSAY_ASSIGN_OR_RETURN(y, AddWithScalar(op, OpKind::kMultiply, y, 0.044715f));
  ASSAY_ASSIGN_OR_RETURN(y, AddWithScalar(op, OpKind::kAdd, y, 1));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMultiply, NoAttrs(), {x, y}));
  ASSAY_ASSIGN_OR_RETURN(
      y, AddWithScalar(op, OpKind::kMultiply, y, 0.7978845608028654f));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kTanh, NoAttrs(), {y}));
  ASSAY_ASSIGN_OR_RETURN(y, AddWithScalar(op, OpKind::kAdd, y, 1));
  ASSAY_ASSIGN_OR_RETURN(y, AddWithScalar(op, OpKind::kMultiply, y, 0.5f));
  return op.Add(OpKind::kMultiply, NoAttrs(), {x, y});
}

absl::Status ImportLeakyRelu(OpImport& op) {
  graph::AlphaAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.alpha, op.attributes().Float("alpha", 0.01f));
  return op.SetResult(op.Add(OpKind::kLeakyRelu, attrs, {op.Input(0)}));
}

absl::Status ImportElu(OpImport& op) {
  graph::AlphaAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.alpha, op.attributes().Float("alpha", 1.0f));
  return op.SetResult(op.Add(OpKind::kElu, attrs, {op.Input(0)}));
}

absl::Status ImportSelu(OpImport& op) {
  graph::AlphaAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.alpha,
                         op.attributes().Float("alpha", 1.67326319217681884f));
  ASSAY_ASSIGN_OR_RETURN(const float gamma,
                         op.attributes().Float("gamma", 1.05070102214813232f));
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kElu, attrs, {op.Input(0)}));
  return op.SetResult(AddWithScalar(op, OpKind::kMultiply, y, gamma));
}

// x > 0 ? x : alpha * elu(x / alpha). A large x would not survive the division
// and the product.
absl::Status ImportCelu(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const float alpha,
                         op.attributes().Float("alpha", 1.0f));
  if (!(alpha > 0)) {
    return Unsupported("attribute `alpha` is ", alpha,
                       ", which is not positive");
  }
  graph::AlphaAttrs elu;
  elu.alpha = 1;
  if (alpha == 1) {
    return op.SetResult(op.Add(OpKind::kElu, elu, {op.Input(0)}));
  }
  const Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(Value y, AddWithScalar(op, OpKind::kDivide, x, alpha));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kElu, elu, {y}));
  ASSAY_ASSIGN_OR_RETURN(y, AddWithScalar(op, OpKind::kMultiply, y, alpha));
  ASSAY_ASSIGN_OR_RETURN(const Value zero, AddScalar(op, 0));
  ASSAY_ASSIGN_OR_RETURN(const Value positive,
                         op.Add(OpKind::kLess, graph::NoAttrs(), {zero, x}));
  return op.SetResult(
      op.Add(OpKind::kSelect, graph::NoAttrs(), {positive, x, y}));
}

absl::Status ImportHardSigmoid(OpImport& op) {
  graph::LinearAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.alpha, op.attributes().Float("alpha", 0.2f));
  ASSAY_ASSIGN_OR_RETURN(attrs.beta, op.attributes().Float("beta", 0.5f));
  return op.SetResult(op.Add(OpKind::kHardSigmoid, attrs, {op.Input(0)}));
}

absl::Status ImportGelu(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const std::string approximate,
                         op.attributes().String("approximate", "none"));
  if (approximate == "tanh") return op.SetResult(TanhGelu(op));
  if (approximate != "none") {
    return Malformed("attribute `approximate` is ", Quote(approximate),
                     " but none or tanh is needed");
  }
  return op.SetResult(op.Add(OpKind::kGelu, NoAttrs(), {op.Input(0)}));
}

// x * tanh(softplus(x))
absl::Status ImportMish(OpImport& op) {
  const Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(Value y, op.Add(OpKind::kSoftplus, NoAttrs(), {x}));
  ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kTanh, NoAttrs(), {y}));
  return op.SetResult(op.Add(OpKind::kMultiply, NoAttrs(), {x, y}));
}

absl::StatusOr<Value> Not(OpImport& op, Value x) {
  return op.Add(OpKind::kBitwiseNot, NoAttrs(), {x});
}

absl::StatusOr<Value> Less(OpImport& op, Value a, Value b) {
  return op.Add(OpKind::kLess, NoAttrs(), {a, b});
}

absl::StatusOr<Value> Choose(OpImport& op, Value condition, Value a, Value b) {
  return op.Add(OpKind::kSelect, NoAttrs(), {condition, a, b});
}

// A logical operator, which is a bitwise operator on bool.
absl::Status Logical(OpImport& op, OpKind kind) {
  for (int i = 0; i < op.num_inputs(); ++i) {
    if (op.InputType(i).dtype.is_bool()) continue;
    return Malformed("input ", i, " is ", op.InputType(i).ToString(),
                     " but bool is needed");
  }
  return op.SetResult(op.Add(kind, NoAttrs(), op.inputs()));
}

// kind(b, a)
absl::Status Swapped(OpImport& op, OpKind kind) {
  return op.SetResult(op.Add(kind, NoAttrs(), {op.Input(1), op.Input(0)}));
}

absl::Status ImportAnd(OpImport& op) {
  return Logical(op, OpKind::kBitwiseAnd);
}
absl::Status ImportOr(OpImport& op) { return Logical(op, OpKind::kBitwiseOr); }
absl::Status ImportXor(OpImport& op) {
  return Logical(op, OpKind::kBitwiseXor);
}
absl::Status ImportNot(OpImport& op) {
  return Logical(op, OpKind::kBitwiseNot);
}

absl::Status ImportGreater(OpImport& op) { return Swapped(op, OpKind::kLess); }
absl::Status ImportGreaterOrEqual(OpImport& op) {
  return Swapped(op, OpKind::kLessEqual);
}

absl::Status ImportBitShift(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const std::string direction,
                         op.attributes().String("direction", ""));
  if (direction != "LEFT" && direction != "RIGHT") {
    return Malformed("attribute `direction` is ", Quote(direction),
                     " but LEFT or RIGHT is needed");
  }
  const OpKind kind =
      direction == "LEFT" ? OpKind::kShiftLeft : OpKind::kShiftRight;
  return op.SetResult(op.Add(kind, NoAttrs(), op.inputs()));
}

absl::Status ImportMod(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const bool fmod, op.attributes().Flag("fmod", false));
  if (!fmod && op.InputType(0).dtype.is_float()) {
    if (op.opset() >= 28) {
      return Unsupported("attribute `fmod` is 0 and the operands are ",
                         op.InputType(0).ToString(),
                         "; the floored remainder of floats is not supported");
    }
    return Malformed("attribute `fmod` is 0 but the operands are ",
                     op.InputType(0).ToString(), "; floats need 1");
  }
  return op.SetResult(op.Add(fmod ? OpKind::kTruncMod : OpKind::kFloorMod,
                             NoAttrs(), op.inputs()));
}

// Only a NaN is unequal to itself.
absl::Status ImportIsNaN(OpImport& op) {
  const Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(const Value is_number,
                         op.Add(OpKind::kEqual, NoAttrs(), {x, x}));
  return op.SetResult(Not(op, is_number));
}

absl::Status ImportIsInf(OpImport& op) {
  Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(const bool negative,
                         op.attributes().Flag("detect_negative", true));
  ASSAY_ASSIGN_OR_RETURN(const bool positive,
                         op.attributes().Flag("detect_positive", true));
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (!negative && !positive) {
    ASSAY_ASSIGN_OR_RETURN(x, Less(op, x, x));
    return op.SetResult(x);
  }
  if (negative && positive) {
    ASSAY_ASSIGN_OR_RETURN(x, op.Add(OpKind::kAbs, NoAttrs(), {x}));
  }
  return op.SetResult(
      AddWithScalar(op, OpKind::kEqual, x, positive ? kInfinity : -kInfinity));
}

// x + bias if x < -lambd, x - bias if x > lambd, otherwise 0.
absl::Status ImportShrink(OpImport& op) {
  const Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(const float bias, op.attributes().Float("bias", 0));
  ASSAY_ASSIGN_OR_RETURN(const float lambda,
                         op.attributes().Float("lambd", 0.5f));
  ASSAY_ASSIGN_OR_RETURN(const Value low, AddScalar(op, -lambda));
  ASSAY_ASSIGN_OR_RETURN(const Value high, AddScalar(op, lambda));
  ASSAY_ASSIGN_OR_RETURN(const Value zero, AddScalar(op, 0));
  ASSAY_ASSIGN_OR_RETURN(const Value up,
                         AddWithScalar(op, OpKind::kAdd, x, bias));
  ASSAY_ASSIGN_OR_RETURN(const Value down,
                         AddWithScalar(op, OpKind::kSubtract, x, bias));
  ASSAY_ASSIGN_OR_RETURN(const Value is_low, Less(op, x, low));
  ASSAY_ASSIGN_OR_RETURN(const Value is_high, Less(op, high, x));
  ASSAY_ASSIGN_OR_RETURN(const Value rest, Choose(op, is_high, down, zero));
  return op.SetResult(Choose(op, is_low, up, rest));
}

absl::Status ImportThresholdedRelu(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const float alpha, op.attributes().Float("alpha", 1));
  ASSAY_ASSIGN_OR_RETURN(const Value threshold, AddScalar(op, alpha));
  ASSAY_ASSIGN_OR_RETURN(const Value zero, AddScalar(op, 0));
  ASSAY_ASSIGN_OR_RETURN(const Value passes, Less(op, threshold, op.Input(0)));
  return op.SetResult(Choose(op, passes, op.Input(0), zero));
}

constexpr OperatorRow kOperators[] = {
    {"Abs", 6, 13, 1, 1, 1, ImportSame<OpKind::kAbs>},
    {"Acos", 7, 22, 1, 1, 1, ImportSame<OpKind::kAcos>},
    {"Acosh", 9, 22, 1, 1, 1, ImportSame<OpKind::kAcosh>},
    {"Add", 7, 14, 2, 2, 1, ImportSame<OpKind::kAdd>},
    {"And", 7, 7, 2, 2, 1, ImportAnd},
    {"Asin", 7, 22, 1, 1, 1, ImportSame<OpKind::kAsin>},
    {"Asinh", 9, 22, 1, 1, 1, ImportSame<OpKind::kAsinh>},
    {"Atan", 7, 22, 1, 1, 1, ImportSame<OpKind::kAtan>},
    {"Atanh", 9, 22, 1, 1, 1, ImportSame<OpKind::kAtanh>},
    {"BitShift", 11, 28, 2, 2, 1, ImportBitShift},
    {"BitwiseAnd", 18, 18, 2, 2, 1, ImportSame<OpKind::kBitwiseAnd>},
    {"BitwiseNot", 18, 18, 1, 1, 1, ImportSame<OpKind::kBitwiseNot>},
    {"BitwiseOr", 18, 18, 2, 2, 1, ImportSame<OpKind::kBitwiseOr>},
    {"BitwiseXor", 18, 18, 2, 2, 1, ImportSame<OpKind::kBitwiseXor>},
    {"Cast", 6, 28, 1, 1, 1, ImportCast},
    {"CastLike", 15, 25, 2, 2, 1, ImportCastLike},
    {"Ceil", 6, 13, 1, 1, 1, ImportSame<OpKind::kCeil>},
    {"Celu", 12, 28, 1, 1, 1, ImportCelu},
    {"Clip", 6, 6, 1, 1, 1, ImportClipAttributes},
    {"Clip", 11, 13, 1, 3, 1, ImportClipInputs},
    {"Cos", 7, 22, 1, 1, 1, ImportSame<OpKind::kCos>},
    {"Cosh", 9, 22, 1, 1, 1, ImportSame<OpKind::kCosh>},
    {"Div", 7, 14, 2, 2, 1, ImportSame<OpKind::kDivide>},
    {"Elu", 6, 22, 1, 1, 1, ImportElu},
    {"Equal", 7, 19, 2, 2, 1, ImportSame<OpKind::kEqual>},
    {"Erf", 9, 13, 1, 1, 1, ImportSame<OpKind::kErf>},
    {"Exp", 6, 13, 1, 1, 1, ImportSame<OpKind::kExp>},
    {"Floor", 6, 13, 1, 1, 1, ImportSame<OpKind::kFloor>},
    {"Gelu", 20, 20, 1, 1, 1, ImportGelu},
    {"Greater", 7, 13, 2, 2, 1, ImportGreater},
    {"GreaterOrEqual", 12, 16, 2, 2, 1, ImportGreaterOrEqual},
    {"HardSigmoid", 6, 22, 1, 1, 1, ImportHardSigmoid},
    {"HardSwish", 14, 22, 1, 1, 1, ImportSame<OpKind::kHardSwish>},
    {"IsInf", 10, 20, 1, 1, 1, ImportIsInf},
    {"IsNaN", 9, 20, 1, 1, 1, ImportIsNaN},
    {"LeakyRelu", 6, 16, 1, 1, 1, ImportLeakyRelu},
    {"Less", 7, 13, 2, 2, 1, ImportSame<OpKind::kLess>},
    {"LessOrEqual", 12, 16, 2, 2, 1, ImportSame<OpKind::kLessEqual>},
    {"Log", 6, 13, 1, 1, 1, ImportSame<OpKind::kLog>},
    {"Max", 6, 13, 1, kAnyNumber, 1, ImportMax},
    {"Mean", 6, 13, 1, kAnyNumber, 1, ImportMean},
    {"Min", 6, 13, 1, kAnyNumber, 1, ImportMin},
    {"Mish", 18, 22, 1, 1, 1, ImportMish},
    {"Mod", 10, 28, 2, 2, 1, ImportMod},
    {"Mul", 7, 14, 2, 2, 1, ImportSame<OpKind::kMultiply>},
    {"Neg", 6, 13, 1, 1, 1, ImportSame<OpKind::kNegate>},
    {"Not", 1, 1, 1, 1, 1, ImportNot},
    {"Or", 7, 7, 2, 2, 1, ImportOr},
    {"PRelu", 7, 16, 2, 2, 1, ImportPRelu},
    {"Pow", 7, 15, 2, 2, 1, ImportPow},
    {"Reciprocal", 6, 13, 1, 1, 1, ImportSame<OpKind::kReciprocal>},
    {"Relu", 6, 14, 1, 1, 1, ImportSame<OpKind::kRelu>},
    {"Round", 11, 22, 1, 1, 1, ImportSame<OpKind::kRound>},
    {"Selu", 6, 22, 1, 1, 1, ImportSelu},
    {"Shrink", 9, 9, 1, 1, 1, ImportShrink},
    {"Sigmoid", 6, 13, 1, 1, 1, ImportSame<OpKind::kSigmoid>},
    {"Sign", 9, 13, 1, 1, 1, ImportSame<OpKind::kSign>},
    {"Sin", 7, 22, 1, 1, 1, ImportSame<OpKind::kSin>},
    {"Sinh", 9, 22, 1, 1, 1, ImportSame<OpKind::kSinh>},
    {"Softplus", 1, 22, 1, 1, 1, ImportSame<OpKind::kSoftplus>},
    {"Softsign", 1, 22, 1, 1, 1, ImportSame<OpKind::kSoftsign>},
    {"Sqrt", 6, 13, 1, 1, 1, ImportSame<OpKind::kSqrt>},
    {"Sub", 7, 14, 2, 2, 1, ImportSame<OpKind::kSubtract>},
    {"Sum", 6, 13, 1, kAnyNumber, 1, ImportSum},
    {"Tan", 7, 22, 1, 1, 1, ImportSame<OpKind::kTan>},
    {"Tanh", 6, 13, 1, 1, 1, ImportSame<OpKind::kTanh>},
    {"ThresholdedRelu", 10, 22, 1, 1, 1, ImportThresholdedRelu},
    {"Where", 9, 16, 3, 3, 1, ImportSame<OpKind::kSelect>},
    {"Xor", 7, 7, 2, 2, 1, ImportXor},
};

}  // namespace

absl::Span<const OperatorRow> ElementwiseOperators() { return kOperators; }

}  // namespace assay::frontend
