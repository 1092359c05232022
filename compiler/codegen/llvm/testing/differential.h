// Compiled kernels against the interpreter.
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

// Compiles `f` for `target`, whose kernels must run here, and runs it on
// RandomInputs. What it computes must be what the interpreter computes, but for
// what difference.h allows, and it must free what it allocates.
::testing::AssertionResult AgreesWithInterpreter(const tir::Function& f,
                                                 const target::Target& target,
                                                 int opt_level, uint64_t seed);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENTIAL_H_
