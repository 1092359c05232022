// Simplify: returns an equivalent expression or program that is not larger,
// with int32 index arithmetic in a normal form.
//
// - Sums are collected and cancelled (linear.h); quotients and remainders of
//   sums by constants are resolved as far as bounds allow (divmod.h).
// - min, max, comparisons and selects are decided from the bounds of variables
//   (compare.h); identities that do not depend on bounds are a table of rewrite
//   rules (rules.inc).
// - Vector index arithmetic is combined into a single Ramp or Broadcast.
// - Loops of extent 1 are replaced by their body; loops of extent 0, dead
//   branches and empty blocks are removed. Loop ranges bound the loop variable
//   inside of the body.
// Floating-point arithmetic is not changed, except for the indices and
// conditions in it.
//
// Simplify is idempotent, which the fuzz test checks. An expression to which no
// rule applies is returned as the same handle.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_SIMPLIFY_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_SIMPLIFY_H_

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// `bounds` are known bounds of the free variables.
expr::Expr Simplify(const expr::Expr& e, const VarBounds& bounds = {});
Stmt Simplify(const Stmt& s, const VarBounds& bounds = {});

// Returns true if `condition` is proved for all values of the variables within
// bounds.
bool CanProve(const expr::Expr& condition, const VarBounds& bounds = {});

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_SIMPLIFY_H_
