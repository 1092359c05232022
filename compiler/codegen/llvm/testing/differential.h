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

// Returns random inputs for `f`, generated from `seed`: floats and integers in
// [-50, 50] (unsigned integers in [0, 50]), and random bools.
std::vector<NDArray> RandomInputs(const tir::Function& f, uint64_t seed);

// Compiles `f` for `target` and runs it on RandomInputs(f, seed). This machine
// must be able to execute code for `target`. Succeeds if the outputs agree with
// the interpreter (tir/interpreter.h) within kFusedTolerance (difference.h) and
// if all allocations are freed.
::testing::AssertionResult AgreesWithInterpreter(const tir::Function& f,
                                                 const target::Target& target,
                                                 int opt_level, uint64_t seed);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_DIFFERENTIAL_H_
