// The kernels that tests of code generation compile and run.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TESTING_PROGRAMS_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TESTING_PROGRAMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Where the tests find it.
inline constexpr char kProgramsFile[] =
    "compiler/codegen/llvm/testing/programs.tir";

// All functions of the file, then small convolutions and RandomIndices for a
// few seeds. Names differ.
absl::StatusOr<std::vector<tir::Function>> LoadPrograms(
    const std::string& path);

// Stores random index expressions (sums, products, quotients, remainders,
// minima, choices) of two loop variables, one of which starts below 0, and
// loads from where they point to, as scalars and as vectors.
tir::Function RandomIndices(uint64_t seed);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TESTING_PROGRAMS_H_
