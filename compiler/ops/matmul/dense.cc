#include "compiler/ops/matmul/dense.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;

// Enough independent sums to hide the FMA latency.
constexpr int64_t kMaxPartialSums = 32;

int64_t PartialSums(int64_t k) {
  int64_t sums = 1;
  while (sums < kMaxPartialSums && k % (sums * 2) == 0) sums *= 2;
  return sums < 4 ? 1 : sums;
}

}  // namespace

bool DenseApplies(const OpInstance& op, const target::Target&) {
  return op.kind == graph::OpKind::kDense
             ? IsPlain(op.inputs[1].encoding)
             : op.encoding<graph::ColumnMajor>(1) != nullptr;
}

te::Tensor Dense(const OpInstance& op, const Operands& in,
                 const target::Target&, const Config&) {
  const te::Tensor &data = in[0], &weights = in[1];
  const Shape& output = op.stored_output.shape;
  const DType type = op.output.dtype;
  const int64_t k = data.shape()[1];
  const int64_t sums = PartialSums(k);
  if (sums == 1) {
    const expr::ReduceAxis r = te::MakeReduceAxis(k, "k");
    return te::Compute(
        output, "dense",
        [&](const std::vector<Expr>& i) {
          return te::Sum(
              expr::WideProduct(type, data(i[0], r.var), weights(i[1], r.var)),
              {r});
        },
        "dense");
  }
  const expr::ReduceAxis outer = te::MakeReduceAxis(k / sums, "k.o");
  const te::Tensor partial = te::Compute(
      {output[0], output[1], sums}, "dense.partial",
      [&](const std::vector<Expr>& i) {
        const Expr at = outer.var * AsInt(sums) + i[2];
        return te::Sum(
            expr::WideProduct(type, data(i[0], at), weights(i[1], at)),
            {outer});
      },
      "dense.partial");
  const expr::ReduceAxis inner = te::MakeReduceAxis(sums, "k.i");
  return te::Compute(
      output, "dense",
      [&](const std::vector<Expr>& i) {
        return te::Sum(partial(i[0], i[1], inner.var), {inner});
      },
      "dense");
}

void ScheduleDense(schedule::Schedule& s, const OpInstance&,
                   const te::Tensor& dense, const te::Tensor& output,
                   const target::Target& target, const Config&) {
  const te::Tensor partial = FindTagged(output, "dense.partial");
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return tensor.same_as(dense) || tensor->tag == "dense.partial";
  });
  schedule::Stage& out = s[output];
  const schedule::Axis rows = out.Fuse(out.axis(0), out.axis(1));
  out.Parallel(rows);
  schedule::Stage& sum = s[dense];
  // If the sum itself is the output, its loop over partial sums is inside the
  // row loop already.
  const bool fused = !dense.same_as(output);
  if (fused) sum.SetScope(expr::Scope::kLocal).ComputeAt(out, rows);
  if (!partial.defined()) return;
  sum.Unroll(sum.reduce_axis(0));
  schedule::Stage& lanes = s[partial];
  lanes.SetScope(expr::Scope::kLocal);
  lanes.ComputeAt(sum, fused ? sum.axis(1) : rows);
  lanes.Reorder({lanes.reduce_axis(0), lanes.axis(2)});
  lanes.Vectorize(lanes.axis(2));
}

}  // namespace assay::ops
