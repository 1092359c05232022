// Arithmetic on scalar constants. All evaluators of expressions use it:
// constant folding (expr_ops), the simplifier and the interpreter.
//
// An integer is represented as int64_t, and a float of any type as double. The
// result of each operation must be converted to its type with WrapInt or
// RoundFloat. If add, sub, mul, div or sqrt on float32 values is computed in
// double and then rounded to float32, the result has the same bits as the
// operation in float32.
#ifndef ASSAY_COMPILER_EXPR_NUMERIC_H_
#define ASSAY_COMPILER_EXPR_NUMERIC_H_

#include <cstdint>

#include "runtime/base/dtype.h"

namespace assay::expr {

// Returns the value of the integer `type` that is congruent to `value` modulo
// 2^bits. If `type` is bool, returns 1 if `value` is not 0, and 0 otherwise.
int64_t WrapInt(DType type, int64_t value);

// Returns the value of the float `type` that is nearest to `value`, with ties
// to even. Values that are too large become infinity.
double RoundFloat(DType type, double value);

// Return the quotient of a and b, rounded towards minus infinity, and its
// remainder, which has the sign of b. b must not be 0.
int64_t FloorDiv(int64_t a, int64_t b);
int64_t FloorMod(int64_t a, int64_t b);

// Convert a value of the float `type` to its bit pattern and back.
uint64_t FloatToBits(DType type, double value);
double BitsToFloat(DType type, uint64_t bits);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_NUMERIC_H_
