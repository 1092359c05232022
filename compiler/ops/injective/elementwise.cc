#include "compiler/ops/injective/elementwise.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::CallOf;
using expr::Const;
using expr::Expr;
using expr::Intrinsic;
using graph::OpKind;

Expr Cast(DType type, const Expr& e) {
  return e.dtype() == type ? e : expr::Cast::Make(type, e);
}

// An infinite bound is none.
Expr Clamp(Expr x, double low, double high) {
  if (std::isfinite(low)) x = expr::Max(x, Const(x.dtype(), low));
  if (std::isfinite(high)) x = expr::Min(x, Const(x.dtype(), high));
  return x;
}

// A zero keeps its sign and a NaN stays one.
Expr Sign(const Expr& x) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  return expr::SelectOf(x > c(0), c(1), expr::SelectOf(x < c(0), c(-1), x));
}

// max(x, 0) + log(1 + exp(-|x|)): exp cannot overflow.
Expr Softplus(const Expr& x) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  const Expr e =
      CallOf(Intrinsic::k_exp, {CallOf(Intrinsic::k_abs, {x}) * c(-1)});
  return expr::Max(x, c(0)) + CallOf(Intrinsic::k_log, {e + c(1)});
}

Expr Gelu(const Expr& x) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  const Expr erf = CallOf(Intrinsic::k_erf, {x * c(0.70710678118654752440)});
  return x * c(0.5) * (erf + c(1));
}

Expr Elu(const Expr& x, double alpha) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  return expr::SelectOf(x < c(0),
                        (CallOf(Intrinsic::k_exp, {x}) - c(1)) * c(alpha), x);
}

Expr UnaryWithAttrs(OpKind kind, const graph::Attrs& attrs, const Expr& x) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  switch (kind) {
    case OpKind::kLeakyRelu: {
      const double alpha = std::get<graph::AlphaAttrs>(attrs).alpha;
      return expr::SelectOf(x < c(0), x * c(alpha), x);
    }
    case OpKind::kElu:
      return Elu(x, std::get<graph::AlphaAttrs>(attrs).alpha);
    case OpKind::kHardSigmoid: {
      const auto& linear = std::get<graph::LinearAttrs>(attrs);
      return Clamp(x * c(linear.alpha) + c(linear.beta), 0, 1);
    }
    case OpKind::kClip: {
      const auto& clip = std::get<graph::ClipAttrs>(attrs);
      return Clamp(x, clip.min, clip.max);
    }
    default:
      CHECK(false) << kind << " is not unary";
      return x;
  }
}

Expr UnaryValue(OpKind kind, const graph::Attrs& attrs, const Expr& x) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  switch (kind) {
    case OpKind::kRelu:
      return expr::Max(x, c(0));
    case OpKind::kNegate:
      return x * c(-1);
    case OpKind::kAbs:
      return CallOf(Intrinsic::k_abs, {x});
    case OpKind::kSign:
      return Sign(x);
    case OpKind::kExp:
      return CallOf(Intrinsic::k_exp, {x});
    case OpKind::kLog:
      return CallOf(Intrinsic::k_log, {x});
    case OpKind::kSqrt:
      return CallOf(Intrinsic::k_sqrt, {x});
    case OpKind::kRsqrt:
      return c(1) / CallOf(Intrinsic::k_sqrt, {x});
    case OpKind::kReciprocal:
      return c(1) / x;
    case OpKind::kFloor:
      return CallOf(Intrinsic::k_floor, {x});
    case OpKind::kCeil:
      return CallOf(Intrinsic::k_ceil, {x});
    case OpKind::kRound:
      return CallOf(Intrinsic::k_round, {x});
    case OpKind::kErf:
      return CallOf(Intrinsic::k_erf, {x});
    case OpKind::kTanh:
      return CallOf(Intrinsic::k_tanh, {x});
    case OpKind::kSigmoid:
      return CallOf(Intrinsic::k_sigmoid, {x});
    case OpKind::kSoftplus:
      return Softplus(x);
    case OpKind::kSoftsign:
      return x / (CallOf(Intrinsic::k_abs, {x}) + c(1));
    case OpKind::kHardSwish:
      return x * Clamp((x + c(3)) * c(1.0 / 6), 0, 1);
    case OpKind::kGelu:
      return Gelu(x);
    default:
      return UnaryWithAttrs(kind, attrs, x);
  }
}

// Towards zero, unlike the floor division of expressions.
Expr TruncatedDivide(const Expr& a, const Expr& b) {
  const Expr zero = Const(a.dtype(), 0);
  const Expr quotient =
      CallOf(Intrinsic::k_abs, {a}) / CallOf(Intrinsic::k_abs, {b});
  return expr::SelectOf(expr::Eq(a < zero, b < zero), quotient,
                        zero - quotient);
}

// exp(b * log|a|), with the sign of an odd power and the cases that come out
// as NaN although they are numbers.
Expr Power(const Expr& a, const Expr& b) {
  const auto c = [&](double value) { return Const(a.dtype(), value); };
  const auto floor = [](const Expr& x) {
    return CallOf(Intrinsic::k_floor, {x});
  };
  const Expr magnitude =
      CallOf(Intrinsic::k_exp,
             {b * CallOf(Intrinsic::k_log, {CallOf(Intrinsic::k_abs, {a})})});
  const Expr half = b * c(0.5);
  const Expr is_even = expr::Eq(floor(half), half);
  const Expr signed_power =
      expr::SelectOf(is_even, magnitude, magnitude * c(-1));
  const Expr negative =
      expr::SelectOf(expr::Eq(floor(b), b), signed_power,
                     c(std::numeric_limits<double>::quiet_NaN()));
  const Expr power = expr::SelectOf(a < c(0), negative, magnitude);
  const Expr is_one = expr::Eq(b, c(0)) || expr::Eq(a, c(1));
  return expr::SelectOf(is_one, c(1), power);
}

Expr BinaryValue(OpKind kind, const Expr& a, const Expr& b) {
  switch (kind) {
    case OpKind::kAdd:
      return a + b;
    case OpKind::kSubtract:
      return a - b;
    case OpKind::kMultiply:
      return a * b;
    case OpKind::kDivide:
      return a.dtype().is_float() ? a / b : TruncatedDivide(a, b);
    case OpKind::kMaximum:
      return expr::Max(a, b);
    case OpKind::kMinimum:
      return expr::Min(a, b);
    case OpKind::kPower:
      return Power(a, b);
    case OpKind::kPrelu:
      return expr::SelectOf(a < Const(a.dtype(), 0), a * b, a);
    default:
      CHECK(false) << kind << " is not binary";
      return a;
  }
}

std::string Name(OpKind kind) {
  const absl::string_view name = graph::OpName(kind);
  return std::string(name.data(), name.size());
}

}  // namespace

DType ArithmeticType(DType storage) {
  return storage.is_float() && storage.bits() == 16 ? DType::Float32()
                                                    : storage;
}

Expr BroadcastRead(const te::Tensor& x, const std::vector<Expr>& i) {
  const size_t skipped = i.size() - x.shape().size();
  std::vector<Expr> indices;
  for (size_t d = 0; d < x.shape().size(); ++d) {
    indices.push_back(x.shape()[d] == 1 ? Expr(0) : i[skipped + d]);
  }
  return x(indices);
}

te::Tensor Unary(OpKind kind, const graph::Attrs& attrs, const te::Tensor& x) {
  const DType wide = ArithmeticType(x.dtype());
  return te::Compute(x.shape(), Name(kind), [&](const std::vector<Expr>& i) {
    return Cast(x.dtype(), UnaryValue(kind, attrs, Cast(wide, x(i))));
  });
}

te::Tensor Binary(OpKind kind, const te::Tensor& a, const te::Tensor& b,
                  const Shape& output) {
  const DType wide = ArithmeticType(a.dtype());
  return te::Compute(output, Name(kind), [&](const std::vector<Expr>& i) {
    return Cast(a.dtype(), BinaryValue(kind, Cast(wide, BroadcastRead(a, i)),
                                       Cast(wide, BroadcastRead(b, i))));
  });
}

te::Tensor Fill(const Shape& shape, const Expr& value) {
  return te::Compute(shape, "fill",
                     [&](const std::vector<Expr>&) { return value; });
}

}  // namespace assay::ops
