// Computes the operands of an intrinsic that replaces loops. An operand
// consists of a buffer, the position of the first element on which the
// intrinsic operates, and the strides to the other elements.
#ifndef ASSAY_COMPILER_LOWER_INTRIN_OPERAND_H_
#define ASSAY_COMPILER_LOWER_INTRIN_OPERAND_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"
#include "compiler/te/tensor_intrin.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::lower {

// Returns the operand that corresponds to `access`:
//   - `access` has the buffer of a load or store in the loops that the
//     intrinsic replaces, and one index per dimension;
//   - `declared` are the axes that index the corresponding tensor in the
//     declaration of the intrinsic;
//   - `loops` maps these axes to the variables of the replaced loops;
//   - `strides` are the required strides, one per axis. A required stride of 0
//     accepts any stride. If the list is empty, all strides are accepted.
// Returns InvalidArgument if the address is not the sum of a base and of
// constant multiples of the loop variables, or if a stride differs from the
// required one.
absl::StatusOr<te::IntrinOperand> IntrinOperandOf(
    const expr::Load& access, const std::vector<expr::Expr>& declared,
    const expr::VarMap<expr::Expr>& loops, const std::vector<int64_t>& strides,
    const tir::VarBounds& loop_vars);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_INTRIN_OPERAND_H_
