#include "compiler/ops/elementwise/elementwise.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "compiler/ops/elementwise/division.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/te/reducers.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::CallOf;
using expr::Const;
using expr::Expr;
using expr::Intrinsic;
using graph::OpKind;

// NaN stays NaN. Bounds that are NaN are ignored.
Expr Clamp(Expr x, double low, double high) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (low > -infinity) x = expr::Max(x, Const(x.dtype(), low));
  if (high < infinity) x = expr::Min(x, Const(x.dtype(), high));
  return x;
}

// Preserves the sign of zero, and NaN.
Expr Sign(const Expr& x) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  if (x.dtype().is_uint()) return expr::Min(x, c(1));
  return expr::SelectOf(x > c(0), c(1), expr::SelectOf(x < c(0), c(-1), x));
}

// Computes max(x, 0) + log(1 + exp(-|x|)), in which exp cannot overflow.
Expr Softplus(const Expr& x) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  const Expr e =
      CallOf(Intrinsic::kExp, {CallOf(Intrinsic::kAbs, {x}) * c(-1)});
  return expr::Max(x, c(0)) + CallOf(Intrinsic::kLog, {e + c(1)});
}

Expr Gelu(const Expr& x) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  const Expr erf = CallOf(Intrinsic::kErf, {x * c(0.70710678118654752440)});
  return x * c(0.5) * (erf + c(1));
}

Expr Elu(const Expr& x, double alpha) {
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  return expr::SelectOf(x < c(0),
                        (CallOf(Intrinsic::kExp, {x}) - c(1)) * c(alpha), x);
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

// Returns the intrinsic that implements `kind`, or nullopt if there is none.
std::optional<Intrinsic> IntrinsicOf(OpKind kind) {
  switch (kind) {
#define ASSAY_CASE(Name) \
  case OpKind::k##Name:  \
    return Intrinsic::k##Name;
    ASSAY_CASE(Abs)
    ASSAY_CASE(Exp)
    ASSAY_CASE(Log)
    ASSAY_CASE(Sqrt)
    ASSAY_CASE(Floor)
    ASSAY_CASE(Ceil)
    ASSAY_CASE(Round)
    ASSAY_CASE(Erf)
    ASSAY_CASE(Sigmoid)
    ASSAY_CASE(Sin)
    ASSAY_CASE(Cos)
    ASSAY_CASE(Tan)
    ASSAY_CASE(Asin)
    ASSAY_CASE(Acos)
    ASSAY_CASE(Atan)
    ASSAY_CASE(Sinh)
    ASSAY_CASE(Cosh)
    ASSAY_CASE(Tanh)
    ASSAY_CASE(Asinh)
    ASSAY_CASE(Acosh)
    ASSAY_CASE(Atanh)
#undef ASSAY_CASE
    default:
      return std::nullopt;
  }
}

// Inverts all bits.
Expr BitwiseNot(const Expr& x) {
  if (x.dtype().is_bool()) return !x;
  const Expr ones = expr::ConstInt(x.dtype(), expr::WrapInt(x.dtype(), -1));
  return CallOf(Intrinsic::kBitwiseXor, {x, ones});
}

Expr UnaryValue(OpKind kind, const graph::Attrs& attrs, const Expr& x) {
  if (const auto intrinsic = IntrinsicOf(kind)) return CallOf(*intrinsic, {x});
  const auto c = [&](double value) { return Const(x.dtype(), value); };
  switch (kind) {
    case OpKind::kRelu:
      return expr::Max(x, c(0));
    case OpKind::kNegate:
      return x.dtype().is_float() ? x * c(-1) : c(0) - x;
    case OpKind::kSign:
      return Sign(x);
    case OpKind::kRsqrt:
      return c(1) / CallOf(Intrinsic::kSqrt, {x});
    case OpKind::kReciprocal:
      return c(1) / x;
    case OpKind::kSoftplus:
      return Softplus(x);
    case OpKind::kSoftsign:
      return x / (CallOf(Intrinsic::kAbs, {x}) + c(1));
    case OpKind::kHardSwish:
      return x * Clamp((x + c(3)) * c(1.0 / 6), 0, 1);
    case OpKind::kGelu:
      return Gelu(x);
    case OpKind::kBitwiseNot:
      return BitwiseNot(x);
    default:
      return UnaryWithAttrs(kind, attrs, x);
  }
}

Expr BitwiseValue(OpKind kind, const Expr& a, const Expr& b) {
  const bool is_bool = a.dtype().is_bool();
  switch (kind) {
    case OpKind::kBitwiseAnd:
      return is_bool ? a && b : CallOf(Intrinsic::kBitwiseAnd, {a, b});
    case OpKind::kBitwiseOr:
      return is_bool ? a || b : CallOf(Intrinsic::kBitwiseOr, {a, b});
    case OpKind::kBitwiseXor:
      return is_bool ? expr::Ne(a, b) : CallOf(Intrinsic::kBitwiseXor, {a, b});
    case OpKind::kShiftLeft:
      return ShiftOrZero(Intrinsic::kShiftLeft, a, b);
    case OpKind::kShiftRight:
      return ShiftOrZero(Intrinsic::kShiftRight, a, b);
    default:
      CHECK(false) << kind << " is not binary";
      return a;
  }
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
      return a.dtype().is_float() ? a / b : TruncDiv(a, b);
    case OpKind::kMaximum:
      return te::Maximum(a, b);
    case OpKind::kMinimum:
      return te::Minimum(a, b);
    case OpKind::kPower:
      return CallOf(Intrinsic::kPow, {a, b});
    case OpKind::kPrelu:
      return expr::SelectOf(a < Const(a.dtype(), 0), a * b, a);
    case OpKind::kFloorMod:
      return FloorMod(a, b);
    case OpKind::kTruncMod:
      return TruncMod(a, b);
    case OpKind::kEqual:
      return expr::Eq(a, b);
    case OpKind::kLess:
      return a < b;
    case OpKind::kLessEqual:
      return a <= b;
    default:
      return BitwiseValue(kind, a, b);
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

Expr UnaryOf(OpKind kind, const graph::Attrs& attrs, const Expr& x) {
  return UnaryValue(kind, attrs, x);
}

te::Tensor Unary(OpKind kind, const graph::Attrs& attrs, const te::Tensor& x) {
  const DType wide = ArithmeticType(x.dtype());
  return te::Compute(x.shape(), Name(kind), [&](const std::vector<Expr>& i) {
    return expr::CastTo(x.dtype(),
                        UnaryValue(kind, attrs, expr::CastTo(wide, x(i))));
  });
}

te::Tensor Binary(OpKind kind, const te::Tensor& a, const te::Tensor& b,
                  const Shape& output) {
  const DType wide = ArithmeticType(a.dtype());
  const DType result = graph::IsComparison(kind) ? DType::Bool() : a.dtype();
  return te::Compute(output, Name(kind), [&](const std::vector<Expr>& i) {
    return expr::CastTo(
        result, BinaryValue(kind, expr::CastTo(wide, BroadcastRead(a, i)),
                            expr::CastTo(wide, BroadcastRead(b, i))));
  });
}

te::Tensor Select(const te::Tensor& condition, const te::Tensor& a,
                  const te::Tensor& b, const Shape& output) {
  return te::Compute(output, "select", [&](const std::vector<Expr>& i) {
    return expr::SelectOf(BroadcastRead(condition, i), BroadcastRead(a, i),
                          BroadcastRead(b, i));
  });
}

te::Tensor Fill(const Shape& shape, const Expr& value) {
  return te::Compute(shape, "fill",
                     [&](const std::vector<Expr>&) { return value; });
}

te::Tensor Cast(const te::Tensor& x, DType dtype) {
  return te::Compute(x.shape(), "cast", [&](const std::vector<Expr>& i) {
    return x.dtype() == dtype ? x(i) : expr::Cast::Make(dtype, x(i));
  });
}

KernelRule UnaryKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Unary(op.kind, op.attrs, in[0]);
  });
}

KernelRule BinaryKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Binary(op.kind, in[0], in[1], op.output.shape);
  });
}

KernelRule SelectKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Select(in[0], in[1], in[2], op.output.shape);
  });
}

KernelRule CastKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Cast(in[0], op.output.dtype);
  });
}

}  // namespace assay::ops
