// Floor division and remainder of linear sums by constants. These rules undo
// the index arithmetic introduced by split and fuse.
//
// With E = d*Q + R, where Q collects the terms whose coefficients are multiples
// of d:
//   E / d -> Q + R / d           E % d -> R % d
// and for R = g*X + Y with g | d and 0 <= Y < g (Y collects the terms that are
// not multiples of g):
//   R / d -> X / (d/g)           R % d -> g * (X % (d/g)) + Y
// A quotient or remainder that is determined by the bounds of its operand is
// replaced by that value.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_DIVMOD_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_DIVMOD_H_

#include <cstdint>

#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/simplify/linear.h"

namespace assay::tir {

// Both require divisor > 0 and a sum of simplified terms.
Linear DivideLinear(const Linear& sum, int64_t divisor,
                    const VarBounds& bounds);
Linear RemainderLinear(const Linear& sum, int64_t divisor,
                       const VarBounds& bounds);

// Merges quotients and remainders of the same expression in a sum, if their
// coefficients match:
//   d*(E / d) + E % d             -> E
//   d*((E / d) % m) + E % d       -> E % (d*m)
void RecombineDivMod(Linear& sum, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_DIVMOD_H_
