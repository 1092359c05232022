// Difference: compares a kernel's output with the expected one.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_

#include <string>

#include "runtime/base/ndarray.h"

namespace assay::codegen {

// Tolerance for the contraction of multiplications and additions.
inline constexpr double kFusedTolerance = 5e-6;

// Returns a description of the first element that differs; empty if the arrays,
// which have the same type and shape, agree. Integers must be equal; float32
// and float64 may differ by `tolerance` times the largest magnitude (at least
// 1).
std::string Difference(const NDArray& expected, const NDArray& actual,
                       double tolerance = kFusedTolerance);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_
