// ConstBounds: computes constant bounds of integer expressions from constant
// bounds of their variables, by interval arithmetic. The value of the
// expression always lies within the bounds (except for uint64 values above
// INT64_MAX), but the bounds need not be tight. If nothing is known about a
// value, its bounds are the range of its type.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_BOUNDS_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_BOUNDS_H_

#include <cstdint>

#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"

namespace assay::tir {

// The set of all integers from min to max, both inclusive. min <= max holds.
struct ConstInterval {
  int64_t min = 0;
  int64_t max = 0;
  // For the bounds of a variable only: the variable holds data of the model,
  // not an index (exact.h).
  bool is_data = false;

  bool IsPoint() const { return min == max; }
  // Returns true if the interval is a subset of [lo, hi].
  bool Within(int64_t lo, int64_t hi) const { return lo <= min && max <= hi; }
};

// Constant bounds of variables. A variable that is not in the map may have any
// value of its type.
using VarBounds = expr::VarMap<ConstInterval>;

// Returns bounds of `e`, an integer or bool expression. The bounds of a vector
// hold for all lanes.
ConstInterval ConstBounds(const expr::Expr& e, const VarBounds& bounds);

// Returns bounds of the variable of a loop over [min, min + extent).
ConstInterval LoopBounds(const expr::Expr& min, const expr::Expr& extent,
                         const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_BOUNDS_H_
