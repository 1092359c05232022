// EvalInterval: symbolic bounds of an index expression while some of its
// variables run through ranges and the others stay as they are.
//
//   EvalInterval(o * 8 + i, {{i, [0, 7]}})  ->  [o * 8, o * 8 + 7]
//
// Bound inference asks it which part of a producer a consumer's inner loops
// touch. min and max are simplified, and for affine expressions
// `max - min + 1` simplifies to the constant extent.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_INTERVAL_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_INTERVAL_H_

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::tir {

// Both inclusive. Undefined ends: nothing is known.
struct Interval {
  expr::Expr min, max;

  static Interval Point(const expr::Expr& e) { return {e, e}; }
  bool IsKnown() const { return min.defined() && max.defined(); }
  bool IsPoint() const { return IsKnown() && min.same_as(max); }
};

using IntervalMap = expr::VarMap<Interval>;

// `e` is a scalar int32. `bounds` are constant bounds of the variables that
// stay and of those that run; they help to simplify.
Interval EvalInterval(const expr::Expr& e, const IntervalMap& ranges,
                      const VarBounds& bounds = {});

// The smallest interval that holds both; unknown if one is.
Interval UnionOf(const Interval& a, const Interval& b, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_INTERVAL_H_
