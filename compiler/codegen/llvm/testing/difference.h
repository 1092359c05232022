// Difference: how what a kernel computed differs from what it should have.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_

#include <string>

#include "runtime/base/ndarray.h"

namespace assay::codegen {

// Names the first element that differs; empty if the arrays, of the same type
// and shape, agree. Integers must be equal; float32 and float64 may differ by
// the fusing of multiplications with additions, that is by a few parts in 10^6
// of the largest element.
std::string Difference(const NDArray& expected, const NDArray& actual);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENCE_H_
