// Arithmetic on scalar constants. All evaluators of expressions use it:
// constant folding (expr_ops), the simplifier and the interpreter.
//
// An integer is represented as int64_t, and a float of any type as double. The
// caller must pass the result of each operation to WrapInt or RoundFloat, which
// converts it to the type of the operation. For add, sub, mul, div and sqrt on
// float32 values, computing in double and then rounding to float32 gives the
// same bits as computing in float32.
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

// Returns a / b, rounded towards minus infinity. b must not be 0.
int64_t FloorDiv(int64_t a, int64_t b);

// Returns a - b * FloorDiv(a, b). The result is 0 or has the sign of b. b must
// not be 0.
int64_t FloorMod(int64_t a, int64_t b);

// Returns the bit pattern of `value` in the float `type`.
uint64_t FloatToBits(DType type, double value);

// Returns the value that the bit pattern `bits` has in the float `type`.
double BitsToFloat(DType type, uint64_t bits);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_NUMERIC_H_
