// The arithmetic of one scalar, as every evaluator of expressions must do it:
// constant folding (expr_ops), the simplifier and the interpreter.
//
// Integers travel as int64_t and floats as double; after each operation the
// result is brought back into its type with WrapInt or RoundFloat. For float32
// add, sub, mul, div and sqrt in double followed by one rounding give the same
// bits as the operation in float32.
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

// The bits of a value of a float `type`, and back.
uint64_t FloatToBits(DType type, double value);
double BitsToFloat(DType type, uint64_t bits);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_NUMERIC_H_
