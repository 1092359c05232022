// The kernels that tests of code generation compile and run.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_PROGRAMS_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_PROGRAMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Path of the file in the runfiles of tests.
inline constexpr char kProgramsFile[] =
    "compiler/codegen/llvm/testing/programs.tir";

// All functions of the file, followed by small convolutions and RandomIndices
// with several seeds. The names are distinct.
absl::StatusOr<std::vector<tir::Function>> LoadPrograms(
    const std::string& path);

// Stores random index expressions (sums, products, quotients, remainders,
// minima, selects) of two loop variables, one of which starts below 0, and
// loads from those indices, as scalars and as vectors.
tir::Function RandomIndices(uint64_t seed);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_PROGRAMS_H_
