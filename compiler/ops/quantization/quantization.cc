// The quantize, dequantize and requantize operators.
#include <string>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/kernel_rule.h"

namespace assay::ops {
namespace {

using expr::Expr;
using graph::OpKind;

const DType kFloat = DType::Float32();

// Clamps before the conversion, because converting a float that is out of range
// of the integer type is undefined. NaN becomes the lowest integer: Max returns
// its first operand unless the second is larger.
Expr Saturated(const Expr& value, const Expr& zero_point, DType dtype) {
  const double low = dtype.is_int() ? -128 : 0;
  const double high = dtype.is_int() ? 127 : 255;
  const Expr rounded = expr::CallOf(expr::Intrinsic::kRound, {value}) +
                       expr::Cast::Make(kFloat, zero_point);
  const Expr clamped = expr::Min(expr::Max(expr::Const(kFloat, low), rounded),
                                 expr::Const(kFloat, high));
  return expr::Cast::Make(dtype, expr::Cast::Make(DType::Int32(), clamped));
}

// The product of two numbers, rounded to float32. Unlike a * b, it is never
// contracted with an addition of its result: whether a sum of dequantized
// values is rounded up or down by a later `quantize` must not depend on the
// target.
Expr Product(const Expr& a, const Expr& b) {
  return expr::CallOf(expr::Intrinsic::kFma, {a, b, expr::Const(kFloat, 0)});
}

// Returns the element of a scale or zero point for result index `i`.
Expr Parameter(const te::Tensor& x, int64_t axis, const std::vector<Expr>& i) {
  if (x.ndim() == 0) return x(std::vector<Expr>());
  return x(x.shape()[0] == 1 ? Expr(0) : i[axis]);
}

// `in` holds the data, the scale and the zero point. Rounds half to even and
// saturates.
te::Tensor Quantize(OpKind kind, const graph::QuantizeAttrs& attrs,
                    const std::vector<te::Tensor>& in) {
  const te::Tensor& x = in[0];
  const absl::string_view name = graph::OpName(kind);
  return te::Compute(
      x.shape(), std::string(name.data(), name.size()),
      [&](const std::vector<Expr>& i) {
        const Expr scale = Parameter(in[1], attrs.axis, i);
        const Expr zero_point = Parameter(in[2], attrs.axis, i);
        switch (kind) {
          case OpKind::kQuantize:
            return Saturated(x(i) / scale, zero_point, attrs.dtype);
          case OpKind::kDequantize:
            return Product(
                expr::Cast::Make(
                    kFloat, expr::Cast::Make(DType::Int32(), x(i)) -
                                expr::Cast::Make(DType::Int32(), zero_point)),
                scale);
          default:
            return Saturated(expr::Cast::Make(kFloat, x(i)) * scale, zero_point,
                             attrs.dtype);
        }
      });
}

}  // namespace
KernelRule QuantizeKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    return Quantize(op.kind, op.attrs_as<graph::QuantizeAttrs>(), in);
  });
}

}  // namespace assay::ops
