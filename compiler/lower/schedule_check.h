// What tests of lowering do with a program and the steps of a schedule.
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

// Small whole numbers, whose sums are exact in any order.
std::vector<NDArray> MakeInputs(const TestProgram& program, uint64_t seed = 99);

// The steps must parse; what is illegal is the error.
absl::StatusOr<tir::Function> LowerWith(const TestProgram& program,
                                        const std::string& steps);

// The loops, after a line break, or the error.
std::string Lowered(const TestProgram& program, const std::string& steps);

// Interpreted, iterations of parallel loops shuffled.
std::vector<NDArray> RunFunction(const tir::Function& function,
                                 const std::vector<NDArray>& inputs);

// What the program computes with the steps is what it computes without, bit
// for bit, before and after the tir passes; and the printed steps replay.
void ExpectKeepsTheMeaning(const TestProgram& program,
                           const std::string& steps);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_SCHEDULE_CHECK_H_
