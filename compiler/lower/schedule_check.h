// Helpers for tests of lowering: apply the steps of a schedule to a program.
#ifndef ASSAY_COMPILER_LOWER_SCHEDULE_CHECK_H_
#define ASSAY_COMPILER_LOWER_SCHEDULE_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/lower/test_programs.h"
#include "compiler/tir/stmt.h"
#include "runtime/base/ndarray.h"

namespace assay::lower {

// Small integers, whose sums are exact in any order.
std::vector<NDArray> MakeInputs(const TestProgram& program, uint64_t seed = 99);

// The steps must parse; returns the error if one is illegal.
absl::StatusOr<tir::Function> LowerWith(const TestProgram& program,
                                        const std::string& steps);

// The text of the loops after a line break, or the error message.
std::string Lowered(const TestProgram& program, const std::string& steps);

// Runs the interpreter with iterations of parallel loops shuffled.
std::vector<NDArray> RunFunction(const tir::Function& function,
                                 const std::vector<NDArray>& inputs);

// Expects that the program computes bitwise the same with the steps as without,
// before and after the tir passes, and that the printed steps replay.
void ExpectSameResults(const TestProgram& program, const std::string& steps);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_SCHEDULE_CHECK_H_
