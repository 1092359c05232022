// The kernels that tests of code generation compile and run.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_PROGRAMS_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_PROGRAMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Path of the file with the kernels, relative to the runfiles of tests.
inline constexpr char kProgramsFile[] =
    "compiler/codegen/llvm/testing/programs.tir";

// Returns all functions of the file at `path`, followed by small convolutions
// (conv_kernel.h) and by RandomIndices() for several seeds. The names of the
// functions are distinct.
absl::StatusOr<std::vector<tir::Function>> LoadPrograms(
    const std::string& path);

// Returns a kernel with random index expressions (sums, differences, products,
// quotients, remainders, minima, maxima and selects) of two loop variables. The
// range of one of the variables starts below 0. The kernel stores the values of
// the expressions. It also loads table elements whose indices are these values
// modulo the table size, once with scalar loads and once with vector loads.
tir::Function RandomIndices(uint64_t seed);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_PROGRAMS_H_
