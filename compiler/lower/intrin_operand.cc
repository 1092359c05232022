#include "compiler/lower/intrin_operand.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/tir/simplify/linear.h"
#include "compiler/tir/simplify/simplify.h"
#include "runtime/base/shape.h"

namespace assay::lower {

using expr::Expr;

absl::StatusOr<te::IntrinOperand> IntrinOperandOf(
    const expr::Load& access, const std::vector<Expr>& declared,
    const expr::VarMap<Expr>& loops, const std::vector<int64_t>& strides,
    const tir::VarBounds& loop_vars) {
  Expr flat = 0;
  const Shape dense = RowMajorStrides(access.buffer->shape);
  for (size_t d = 0; d < dense.size(); ++d) {
    flat = flat + access.indices[d] * static_cast<int>(dense[d]);
  }
  tir::Linear sum = tir::ToLinear(tir::Simplify(flat, loop_vars));
  te::IntrinOperand operand;
  operand.buffer = access.buffer;
  for (size_t d = 0; d < declared.size(); ++d) {
    const auto loop = loops.find(declared[d]);
    int64_t stride = 0;
    if (loop != loops.end()) {
      const auto term = sum.terms.find(loop->second);
      if (term != sum.terms.end()) stride = term->second;
    }
    operand.strides.push_back(stride);
    if (loop != loops.end() && !strides.empty() && strides[d] != 0 &&
        strides[d] != stride) {
      return absl::InvalidArgumentError(
          absl::StrCat("`%", access.buffer->name, "` has stride ", stride,
                       " along its dimension ", d,
                       ", but the intrinsic requires ", strides[d]));
    }
  }
  for (const auto& [axis, loop] : loops) sum.terms.erase(loop);
  operand.base = sum.ToExpr();
  for (const auto& [axis, loop] : loops) {
    if (expr::UsesVar(operand.base, loop)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the operand in `%", access.buffer->name,
                       "` does not have a constant stride along `",
                       loop.As<expr::Var>()->name, "`"));
    }
  }
  return operand;
}

}  // namespace assay::lower
