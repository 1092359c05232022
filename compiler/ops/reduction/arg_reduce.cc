#include "compiler/ops/reduction/arg_reduce.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"
#include "compiler/te/reducers.h"

namespace assay::ops {

using expr::Expr;
using graph::OpKind;
using schedule::Axis;
using schedule::Stage;

te::Tensor ArgReduce(OpKind kind, const graph::ArgReduceAttrs& attrs,
                     const te::Tensor& x, const Shape& output) {
  const te::ReduceAxis r = te::MakeReduceAxis(x.shape()[attrs.axis], "k");
  const expr::Reducer reducer = kind == OpKind::kArgMax
                                    ? te::ArgMax(x.dtype(), attrs.last)
                                    : te::ArgMin(x.dtype(), attrs.last);
  const std::vector<te::Tensor> best = te::ComputeTuple(
      output, "best",
      [&](const std::vector<Expr>& i) {
        std::vector<Expr> indices = i;
        if (attrs.keepdims) {
          indices[attrs.axis] = r.var;
        } else {
          indices.insert(indices.begin() + attrs.axis, r.var);
        }
        return te::ReduceTuple(reducer, {r.var, x(indices)}, {r});
      },
      "reduction");
  return te::Compute(output, "index", [&](const std::vector<Expr>& i) {
    return expr::Cast::Make(DType::Int64(), best[0](i));
  });
}

void ScheduleArgRows(schedule::Schedule& s, const te::Tensor& output,
                     const target::Target& target) {
  const te::Tensor best = FindTagged(output, "reduction");
  const bool parallel = IsWorthThreads(KernelWork(s));
  InlineOthers(s, output, target, [](const te::Tensor& tensor) {
    return tensor->tag == "reduction";
  });
  Stage& reduction = s[best];
  Stage& out = s[output];
  Axis row;
  if (output.ndim() > 0) {
    row = out.Fuse(out.leaves());
    if (parallel) out.Parallel(row);
    reduction.ComputeAt(out, row).SetScope(expr::Scope::kLocal);
  }
  const int64_t lanes = FloatLanes(target);
  const Axis k = reduction.reduce_axis(0);
  if (lanes < 2 || k.extent < 2 * lanes) return;
  const auto [outer, lane] = reduction.Split(k, lanes);
  Stage& partial = s[s.RFactor(best, lane, output.ndim())];
  if (output.ndim() > 0) {
    partial.ComputeAt(out, row).SetScope(expr::Scope::kLocal);
  }
  partial.Reorder({partial.reduce_axis(0), partial.axis(output.ndim())});
  partial.Vectorize(partial.axis(output.ndim()));
}

}  // namespace assay::ops
