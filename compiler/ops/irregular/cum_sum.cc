#include "compiler/ops/irregular/cum_sum.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/injective/elementwise.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/irregular/index_loops.h"
#include "compiler/te/extern.h"

namespace assay::ops {

using expr::Expr;

te::Tensor CumSum(const graph::CumSumAttrs& attrs, const te::Tensor& x) {
  const Shape& shape = x.shape();
  const int axis = static_cast<int>(attrs.axis);
  const int extent = AsInt(shape[axis]);
  const DType type = x.dtype(), wide = ArithmeticType(type);
  te::Extern e("cum_sum");
  const te::Array in = e.Input(x);
  const te::Array out = e.Output(type, shape);
  const int rows = AsInt(NumElements(shape) / extent);
  e.Parallel("row", rows, [&](const Expr& row) {
    const te::Array sum = e.Local(wide, {1}, "sum");
    sum.Set({0}, expr::Const(wide, 0));
    e.For("k", 0, extent, [&](const Expr& k) {
      const Expr at = attrs.reverse ? (extent - 1) - k : k;
      const std::vector<Expr> i = IndicesInRow(shape, axis, row, at);
      if (attrs.exclusive) out.Set(i, expr::CastTo(type, sum(0)));
      sum.Set({0}, sum(0) + expr::CastTo(wide, in(i)));
      if (!attrs.exclusive) out.Set(i, expr::CastTo(type, sum(0)));
    });
  });
  return e.Build()[0];
}

}  // namespace assay::ops
