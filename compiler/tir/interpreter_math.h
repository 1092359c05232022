// Computes intrinsic functions on one lane, for the interpreter of loop
// programs. `y` is the second argument of binary intrinsics; other intrinsics
// ignore it. Dot products, reinterpret and fma are not supported here.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_MATH_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_MATH_H_

#include <cstdint>

#include "compiler/expr/intrinsics.h"
#include "runtime/base/dtype.h"

namespace assay::tir {

// Computes the result in double. The caller must round it to the type of the
// call.
double ApplyFloat(expr::Intrinsic intrinsic, double x, double y);

// Returns a result that the caller must reduce to the range of `type`
// (expr::WrapInt).
int64_t ApplyInt(expr::Intrinsic intrinsic, DType type, int64_t x, int64_t y);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_INTERPRETER_MATH_H_
