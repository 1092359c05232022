// Tells apart index arithmetic and arithmetic on data.
//
// Both are int32 expressions, and +, - and * wrap around modulo 2^32. Lowering
// guarantees that arithmetic on loop variables never overflows, so its value is
// also the value of the expression in the integers. This is what the rules for
// division, remainders, comparisons, minima and maxima rely on:
// (i * 8 + j) / 8 is i only in the integers. Data is what a model computes:
// loaded elements, conversions and results of functions. It can have any value,
// and its arithmetic can overflow: x * 2 / 2 is not x.
//
// A linear combination is rearranged modulo 2^32 whatever it consists of.
// Before it is read as an integer, it must be exact.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_EXACT_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_EXACT_H_

#include <cstdint>

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/simplify/linear.h"

namespace assay::tir {

// Returns true if `e` contains a Load, a Read, a Cast, a Call or a variable
// whose bounds are marked as data.
bool IsData(const expr::Expr& e, const VarBounds& bounds);

// Returns true if `sum` has the same value in int32 as in the integers, and so
// has each sum of some of its terms and a constant from -`slack` to `slack`.
// This holds for index arithmetic, for a single term, and for terms whose
// bounds are so small that nothing can overflow.
bool IsExact(const Linear& sum, const VarBounds& bounds, int64_t slack = 0);
// The same for an int32 expression.
bool IsExact(const expr::Expr& e, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_EXACT_H_
