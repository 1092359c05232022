// non_zero: the indices of the nonzero elements (compiler/docs/graph_ir.md).
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
using te::Array;
using te::Extern;

Expr Wide(const Expr& x) { return expr::Cast::Make(DType::Int64(), x); }

Expr IsNonZero(const Expr& x) {
  if (x.dtype().is_bool()) {
    return expr::Ne(expr::Cast::Make(DType::Int32(), x), 0);
  }
  const DType wide = ArithmeticType(x.dtype());
  return expr::Ne(expr::CastTo(wide, x), expr::Const(wide, 0));
}

// Returns the first of two outputs: int64[rank,n], the indices of the nonzero
// elements of `x`, padded with zeros; and int64[], the number of these
// elements. The elements are visited once, sequentially.
te::Tensor NonZero(const te::Tensor& x) {
  const int64_t rank = x.ndim(), n = NumElements(x.shape());
  Extern e("non_zero");
  const Array in = e.Input(x);
  const Array out = e.Output(DType::Int64(), {rank, n});
  const Array total = e.Output(DType::Int64(), {});
  const Array count = e.Local(DType::Int32(), {1}, "count");
  count.Set({0}, 0);
  ForEachIndex(e, x.shape(), [&](const std::vector<Expr>& indices) {
    e.If(IsNonZero(in(indices)), [&] {
      for (int64_t d = 0; d < rank; ++d) {
        out.Set({AsInt(d), count(0)}, Wide(indices[d]));
      }
      count.Set({0}, count(0) + 1);
    });
  });
  total.Set({}, Wide(count(0)));
  e.For("rest", count(0), AsInt(n) - count(0), [&](const Expr& i) {
    for (int64_t d = 0; d < rank; ++d) {
      out.Set({AsInt(d), i}, expr::ConstInt(DType::Int64(), 0));
    }
  });
  return e.Build()[0];
}

te::Tensor ComputeNonZero(const OpInstance&, const Operands& in,
                          const target::Target&, const Config&) {
  return NonZero(in[0]);
}

constexpr Implementation kNonZero[] = {{"non_zero.walk", AlwaysApplies, NoSpace,
                                        NoConfig, RooflineAt<100>,
                                        ComputeNonZero, ScheduleAsWritten}};

}  // namespace

KernelRule NonZeroKernel(graph::OpKind) { return {kNonZero}; }

}  // namespace assay::ops
