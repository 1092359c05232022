// EvalInterval: symbolic bounds of an index expression when some of its
// variables range over intervals and the others are fixed.
//
//   EvalInterval(o * 8 + i, {{i, [0, 7]}})  ->  [o * 8, o * 8 + 7]
//
// Bound inference uses it to compute the region of a producer that the inner
// loops of a consumer access. min and max are simplified, and for affine
// expressions `max - min + 1` simplifies to the constant extent.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_INTERVAL_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_INTERVAL_H_

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::tir {

// Both ends are inclusive. Undefined ends: unknown.
struct Interval {
  expr::Expr min, max;

  static Interval Point(const expr::Expr& e) { return {e, e}; }
  bool IsKnown() const { return min.defined() && max.defined(); }
  bool IsPoint() const { return IsKnown() && min.same_as(max); }
};

using IntervalMap = expr::VarMap<Interval>;

// `e` is a scalar int32. `bounds` are constant bounds of fixed and ranging
// variables, used for simplification.
Interval EvalInterval(const expr::Expr& e, const IntervalMap& ranges,
                      const VarBounds& bounds = {});

// The smallest interval that contains both; unknown if one of them is.
Interval UnionOf(const Interval& a, const Interval& b, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_INTERVAL_H_
