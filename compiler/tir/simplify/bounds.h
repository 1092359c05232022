// ConstBounds: constant bounds of integer expressions, derived from constant
// bounds of their variables (interval arithmetic). Conservative: the value
// always lies within the bounds, which need not be tight. Unknown values are
// bounded by the range of their type.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_BOUNDS_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_BOUNDS_H_

#include <cstdint>

#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"

namespace assay::tir {

// All integers from min to max, both inclusive; min <= max.
struct ConstInterval {
  int64_t min = 0;
  int64_t max = 0;

  bool IsPoint() const { return min == max; }
  // Returns true if the interval is a subset of [lo, hi].
  bool Within(int64_t lo, int64_t hi) const { return lo <= min && max <= hi; }
};

// Constant bounds of variables; a missing variable may have any value of its
// type.
using VarBounds = expr::VarMap<ConstInterval>;

// `e` is an integer or bool expression; the bounds of a vector hold for all
// lanes.
ConstInterval ConstBounds(const expr::Expr& e, const VarBounds& bounds);

// Bounds of the variable of a loop over [min, min + extent).
ConstInterval LoopBounds(const expr::Expr& min, const expr::Expr& extent,
                         const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_BOUNDS_H_
