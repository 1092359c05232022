// Intrinsic functions on one lane, for the interpreter. `y` is the second
// argument of binary intrinsics.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_MATH_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_MATH_H_

#include <cstdint>

#include "compiler/expr/intrinsics.h"
#include "runtime/base/dtype.h"

namespace assay::tir {

// Computed in double; the caller rounds to the type of the call.
double ApplyFloat(expr::Intrinsic intrinsic, double x, double y);

// The caller wraps the result into `type`.
int64_t ApplyInt(expr::Intrinsic intrinsic, DType type, int64_t x, int64_t y);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_INTERPRETER_MATH_H_
