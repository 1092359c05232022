// The operands of an intrinsic that replaces loops: the locations in buffers of
// the parts of tensors on which it operates.
#ifndef ASSAY_COMPILER_LOWER_INTRIN_OPERAND_H_
#define ASSAY_COMPILER_LOWER_INTRIN_OPERAND_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"
#include "compiler/te/tensor_intrin.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::lower {

// `access` is the load or store of the loops, with one index per dimension;
// `declared` are the axes that index the declared tensor; `loops` maps axes to
// loops. `strides` are the required strides, empty for any. Returns an error if
// the address is not a base plus strides times loop variables, or if the
// strides do not match.
absl::StatusOr<te::IntrinOperand> IntrinOperandOf(
    const expr::Load& access, const std::vector<expr::Expr>& declared,
    const expr::VarMap<expr::Expr>& loops, const std::vector<int64_t>& strides,
    const tir::VarBounds& loop_vars);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_INTRIN_OPERAND_H_
