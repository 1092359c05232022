#include "compiler/ops/matmul/matmul.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

using expr::Expr;

// The element at `row`, `column` of the matrix of `x` that broadcasting assigns
// to the result's matrix at the leading indices of `i`.
Expr MatrixRead(const te::Tensor& x, const std::vector<Expr>& i,
                const Expr& row, const Expr& column) {
  const size_t rank = x.shape().size();
  const size_t skipped = i.size() - rank;
  std::vector<Expr> indices;
  for (size_t d = 0; d + 2 < rank; ++d) {
    indices.push_back(x.shape()[d] == 1 ? Expr(0) : i[skipped + d]);
  }
  indices.push_back(row);
  indices.push_back(column);
  return x(indices);
}

}  // namespace

te::Tensor Matmul(const OpInstance& op, const Operands& in,
                  const target::Target&, const Config&) {
  const te::Tensor &a = in[0], &b = in[1];
  const Shape& output = op.stored_output.shape;
  const expr::ReduceAxis k = te::MakeReduceAxis(a.shape().back(), "k");
  const size_t rank = output.size();
  return te::Compute(
      output, "matmul",
      [&](const std::vector<Expr>& i) {
        return te::Sum(expr::WideProduct(op.output.dtype,
                                         MatrixRead(a, i, i[rank - 2], k.var),
                                         MatrixRead(b, i, k.var, i[rank - 1])),
                       {k});
      },
      "matmul");
}

bool MatmulApplies(const OpInstance& op, const target::Target&) {
  return IsPlain(op.inputs[1].encoding);
}

bool PanelRowsApply(const OpInstance& op, const target::Target&) {
  const auto* panels = op.encoding<graph::Panels>(1);
  return panels != nullptr && !panels->split;
}

te::Tensor PanelRows(const OpInstance& op, const Operands& in,
                     const target::Target&, const Config&) {
  const te::Tensor &x = in[0], &w = in[1];
  const int width = AsInt(w.shape()[2]);
  const int factors = w.ndim() == 4 ? AsInt(w.shape()[3]) : 1;
  const expr::ReduceAxis k = te::MakeReduceAxis(x.shape()[1], "k");
  return te::Compute(
      op.stored_output.shape, "matmul",
      [&](const std::vector<Expr>& i) {
        const Expr panel = i[1] / width, column = i[1] % width;
        const Expr weight =
            w.ndim() == 3 ? w(panel, k.var, column)
                          : w(panel, k.var / factors, column, k.var % factors);
        return te::Sum(
            expr::WideProduct(op.output.dtype, x(i[0], k.var), weight), {k});
      },
      "matmul");
}

void ScheduleMatmul(schedule::Schedule& s, const OpInstance&, const te::Tensor&,
                    const te::Tensor& output, const target::Target& target,
                    const Config&) {
  ScheduleReduction(s, output, target);
}

}  // namespace assay::ops
