// The operands of an intrinsic that takes the place of loops: where the parts
// of tensors that it computes on are in their buffers.
#ifndef ASSAY_COMPILER_LOWER_INTRIN_OPERAND_H_
#define ASSAY_COMPILER_LOWER_INTRIN_OPERAND_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"
#include "compiler/te/tensor_intrin.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::lower {

// `access` is what the loops read or store, with one index per dimension;
// `declared`, the axes that index the declared tensor; `loops`, which loop
// stands for which axis. `strides` are those asked for, empty for any. Fails
// where the element is not at a base plus strides times loop variables, or with
// other strides than asked for.
absl::StatusOr<te::IntrinOperand> IntrinOperandOf(
    const expr::Load& access, const std::vector<expr::Expr>& declared,
    const expr::VarMap<expr::Expr>& loops, const std::vector<int64_t>& strides,
    const tir::VarBounds& loop_vars);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_INTRIN_OPERAND_H_
