// cum_sum: prefix sums along an axis; rows are computed in parallel.
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "compiler/ops/index_loops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/te/extern.h"

namespace assay::ops {
namespace {

using expr::Expr;

// float16 and bfloat16 are accumulated in float32.
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

te::Tensor ComputeCumSum(const OpInstance& op, const Operands& in,
                         const target::Target&, const Config&) {
  return CumSum(op.attrs_as<graph::CumSumAttrs>(), in[0]);
}

constexpr Implementation kCumSum[] = {{"cum_sum.loops", AlwaysApplies, NoSpace,
                                       NoConfig, RooflineAt<2>, ComputeCumSum,
                                       ScheduleAsWritten}};

}  // namespace

KernelRule CumSumKernel(graph::OpKind) { return {kCumSum}; }

}  // namespace assay::ops
