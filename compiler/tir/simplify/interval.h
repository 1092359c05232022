// EvalInterval: computes symbolic bounds of an index expression. Some variables
// of the expression range over given intervals; all other variables are fixed
// and may occur in the bounds.
//
//   EvalInterval(o * 8 + i, {{i, [0, 7]}})  ->  [o * 8, o * 8 + 7]
//
// Bound inference uses EvalInterval to compute the region of a producer that
// the inner loops of a consumer access. The bounds are simplified. If the
// expression is affine and the given intervals have constant extents, the
// difference of the bounds simplifies to a constant.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_INTERVAL_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_INTERVAL_H_

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::tir {

// The values from min to max, both inclusive. If min and max are undefined, the
// interval is unknown.
struct Interval {
  expr::Expr min, max;

  static Interval Point(const expr::Expr& e) { return {e, e}; }
  bool IsKnown() const { return min.defined() && max.defined(); }
  bool IsPoint() const { return IsKnown() && min.same_as(max); }
};

using IntervalMap = expr::VarMap<Interval>;

// Returns an interval that contains all values of `e`, a scalar int32
// expression, if the variables in `ranges` vary over their intervals. Returns
// an unknown interval if no bounds are found. `bounds` are constant bounds of
// any variables; they are used for simplification.
Interval EvalInterval(const expr::Expr& e, const IntervalMap& ranges,
                      const VarBounds& bounds = {});

// Returns the smallest interval that contains `a` and `b`. The result is
// unknown if `a` or `b` is unknown.
Interval UnionOf(const Interval& a, const Interval& b, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_INTERVAL_H_
