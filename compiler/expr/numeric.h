// Arithmetic on scalar constants, shared by all evaluators of expressions:
// constant folding (expr_ops), the simplifier and the interpreter.
//
// Integers are represented as int64_t and floats as double; after each
// operation the result is converted to its type with WrapInt or RoundFloat. For
// float32, computing add, sub, mul, div or sqrt in double and rounding once
// gives the same bits as the operation in float32.
#ifndef ASSAY_COMPILER_EXPR_NUMERIC_H_
#define ASSAY_COMPILER_EXPR_NUMERIC_H_

#include <cstdint>

#include "runtime/base/dtype.h"

namespace assay::expr {

// The value of `type` congruent to `value` modulo 2^bits; bool: 0 or 1.
int64_t WrapInt(DType type, int64_t value);

// The value of a float `type` nearest to `value`, ties to even.
double RoundFloat(DType type, double value);

// Division rounding towards minus infinity; b is not 0.
int64_t FloorDiv(int64_t a, int64_t b);
int64_t FloorMod(int64_t a, int64_t b);

// The bit pattern of a value of a float `type`, and its inverse.
uint64_t FloatToBits(DType type, double value);
double BitsToFloat(DType type, uint64_t bits);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_NUMERIC_H_
