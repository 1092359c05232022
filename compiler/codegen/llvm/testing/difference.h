// Difference: compares an output of a kernel with the expected output.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_

#include <string>

#include "runtime/base/ndarray.h"

namespace assay::codegen {

// Tolerance for differences that are caused by contraction of multiplications
// and additions to fused multiply-adds.
inline constexpr double kFusedTolerance = 5e-6;

// Returns a description of the first element that differs, or an empty string
// if the arrays agree. Both arrays must have the same type and shape. Two
// elements of type float32 or float64 agree if both are NaN, or if they differ
// by at most `tolerance` times the largest finite magnitude in `expected` (at
// least 1). Elements of other types must have equal bits.
std::string Difference(const NDArray& expected, const NDArray& actual,
                       double tolerance = kFusedTolerance);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_
