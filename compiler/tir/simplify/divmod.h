// Floor division and remainder of linear sums by constants: the rules that
// undo what split and fuse did to loop indices.
//
// With E = d*Q + R, where Q collects what d divides exactly:
//   E / d -> Q + R / d           E % d -> R % d
// and for R = g*X + Y with g | d and 0 <= Y < g (Y is what g does not divide):
//   R / d -> X / (d/g)           R % d -> g * (X % (d/g)) + Y
// A quotient or remainder whose operand's bounds settle it vanishes.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_DIVMOD_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_DIVMOD_H_

#include <cstdint>

#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/simplify/linear.h"

namespace assay::tir {

// Both for divisor > 0 and a sum whose terms are simplified.
Linear DivideLinear(const Linear& sum, int64_t divisor, const VarBounds& bounds);
Linear RemainderLinear(const Linear& sum, int64_t divisor,
                       const VarBounds& bounds);

// Puts together what belongs together, wherever both terms stand in the sum
// with coefficients in that proportion:
//   d*(E / d) + E % d             -> E
//   d*((E / d) % m) + E % d       -> E % (d*m)
void RecombineDivMod(Linear& sum, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_DIVMOD_H_
