// Simplifies the floor division of a linear sum E by a constant d, and the
// remainder of this division. The rules undo the index arithmetic that
// splitting and fusing loops introduces.
//
// Rule 1: write E = d*Q + R, where d*Q contains all terms of E whose
// coefficients are multiples of d. Then
//   E / d -> Q + R / d           E % d -> R % d
// Rule 2: choose a divisor g of d, and write R = g*X + Y, where Y contains all
// terms of R whose coefficients are not multiples of g. If 0 <= Y < g, then
//   R / d -> X / (d/g)           R % d -> g * (X % (d/g)) + Y
// Rule 3: if the bounds of R imply that R / d has the same value q for all
// values of the variables, then
//   R / d -> q                   R % d -> R - d*q
// The rules hold in the integers. A sum of data that may overflow (exact.h) is
// not split; only rule 3 applies to it.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_DIVMOD_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_DIVMOD_H_

#include <cstdint>

#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/simplify/linear.h"

namespace assay::tir {

// DivideLinear returns sum / divisor, and RemainderLinear returns
// sum % divisor. Both functions require that `divisor` is positive and that the
// terms of `sum` are simplified.
Linear DivideLinear(const Linear& sum, int64_t divisor,
                    const VarBounds& bounds);
Linear RemainderLinear(const Linear& sum, int64_t divisor,
                       const VarBounds& bounds);

// Merges quotients and remainders of the same expression E in `sum`, by these
// rules:
//   d*(E / d) + E % d             -> E
//   d*((E / d) % m) + E % d       -> E % (d*m)
// A rule also applies if both terms on its left side are multiplied by the same
// factor; the result is then multiplied by this factor.
void RecombineDivMod(Linear& sum, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_DIVMOD_H_
