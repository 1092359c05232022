// Differential tests of compiled kernels against the interpreter.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENTIAL_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENTIAL_H_

#include <cstdint>
#include <vector>

#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"
#include "gtest/gtest.h"
#include "runtime/base/ndarray.h"

namespace assay::codegen {

// Inputs for `f` drawn with `seed`: floats and integers in [-50, 50].
std::vector<NDArray> RandomInputs(const tir::Function& f, uint64_t seed);

// Compiles `f` for `target`, whose code must run on this machine, and runs it
// on RandomInputs. The outputs must agree with the interpreter within the
// tolerance of difference.h, and all allocations must be freed.
::testing::AssertionResult AgreesWithInterpreter(const tir::Function& f,
                                                 const target::Target& target,
                                                 int opt_level, uint64_t seed);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENTIAL_H_
