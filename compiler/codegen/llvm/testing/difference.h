// Difference: how what a kernel computed differs from what it should have.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_

#include <string>

#include "runtime/base/ndarray.h"

namespace assay::codegen {

// What fusing multiplications with additions may change.
inline constexpr double kFusedTolerance = 5e-6;

// Names the first element that differs; empty if the arrays, of the same type
// and shape, agree. Integers must be equal; float32 and float64 may differ by
// `tolerance` of the largest element (of 1, if all are smaller).
std::string Difference(const NDArray& expected, const NDArray& actual,
                       double tolerance = kFusedTolerance);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_
