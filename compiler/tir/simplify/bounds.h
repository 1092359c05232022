// ConstBounds: constant bounds of integer expressions, from constant bounds of
// their variables. Conservative: the value always lies inside, the bounds may
// be wider than need be. What is not known is bounded by the range of its type.
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
  // Whether every value of this interval lies in [lo, hi].
  bool Within(int64_t lo, int64_t hi) const { return lo <= min && max <= hi; }
};

// Bounds of variables; one that is missing may have any value of its type.
using VarBounds = expr::VarMap<ConstInterval>;

// `e` is an integer or bool expression, scalar or vector (then: of all lanes).
ConstInterval ConstBounds(const expr::Expr& e, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_BOUNDS_H_
