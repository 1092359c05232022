// Simplify: returns an equivalent simpler expression or program, with int32
// index arithmetic in a normal form. Arithmetic on data may overflow (exact.h),
// and is simplified as far as its value stays the same.
//
// - Equal terms of sums are combined (linear.h). Quotients and remainders of
//   sums by constants are simplified with the bounds of variables (divmod.h).
// - min, max, comparisons and selects are replaced by one operand or by a
//   constant if the bounds of variables determine their value (compare.h).
// - Identities that do not depend on bounds are applied by a table of rewrite
//   rules (rules.inc).
// - Vector index arithmetic is combined into a single Ramp or Broadcast
//   (vector_index.h).
// - Loops of extent 1 are replaced by their bodies. Loops of extent 0, branches
//   that are never taken and statements without effect are removed. A
//   Let whose value is a constant or a variable is removed, and its variable is
//   replaced by the value.
// - Inside the body of a loop, the loop variable has the bounds of the range of
//   the loop. Inside the branches of an IfThenElse and the arms of a Select,
//   the condition (or its negation) can tighten the bounds of variables.
// - Floating-point operations are not rearranged. The only rules for them are
//   constant folding and the rules that hold for all types.
//
// Simplify is idempotent; a fuzz test checks this for expressions. If nothing
// changes, the result is the argument itself (same_as() returns true) and not a
// copy.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_SIMPLIFY_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_SIMPLIFY_H_

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// `bounds` are constant bounds of free variables.
expr::Expr Simplify(const expr::Expr& e, const VarBounds& bounds = {});
Stmt Simplify(const Stmt& s, const VarBounds& bounds = {});

// Returns true if the simplifier proves that `condition` is true for all values
// of the variables within their bounds.
bool CanProve(const expr::Expr& condition, const VarBounds& bounds = {});

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_SIMPLIFY_H_
