// Simplify: an equal expression or program that is no larger, in a normal form
// for int32 index arithmetic.
//
// - Sums are collected and cancelled (linear.h); quotients and remainders of
//   sums by constants are resolved where bounds allow (divmod.h).
// - min, max, comparisons and selects that the bounds of the variables decide
//   are decided; what holds whatever the bounds are is a table of rules
//   (rules.inc).
// - Vector index arithmetic is gathered into one Ramp or Broadcast.
// - Loops of extent 1 become their body, loops of extent 0, dead branches and
//   empty blocks vanish; loops bound their variable for what is inside.
// Floating-point arithmetic is left alone but for its indices and conditions.
//
// Simplify(Simplify(x)) is Simplify(x); the fuzz test says so too. An
// expression that nothing applies to comes back as the same handle.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_SIMPLIFY_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_SIMPLIFY_H_

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// `bounds` holds what is known of the free variables.
expr::Expr Simplify(const expr::Expr& e, const VarBounds& bounds = {});
Stmt Simplify(const Stmt& s, const VarBounds& bounds = {});

// Whether `condition` holds for all values of the variables within bounds.
bool CanProve(const expr::Expr& condition, const VarBounds& bounds = {});

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_SIMPLIFY_H_
