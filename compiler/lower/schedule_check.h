// Helper functions for tests of lowering. They apply schedule steps to a test
// program, lower the program, and run the result.
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

// Returns random small integers for the inputs of `program`. Sums of these
// values are exact in any order.
std::vector<NDArray> MakeInputs(const TestProgram& program, uint64_t seed = 99);

// Lowers `program` with `steps`, which must be valid text of schedule steps.
// Returns an error if a step is illegal or if lowering fails.
absl::StatusOr<tir::Function> LowerWith(const TestProgram& program,
                                        const std::string& steps);

// Lowers `program` with `steps`. Returns a line break followed by the text of
// the loops. If LowerWith() fails, returns its error message instead.
std::string Lowered(const TestProgram& program, const std::string& steps);

// Runs `function` in the tir interpreter. Iterations of parallel and vectorized
// loops run in a shuffled order.
std::vector<NDArray> RunFunction(const tir::Function& function,
                                 const std::vector<NDArray>& inputs);

// Expects that `steps` do not change any bit of the results of `program`,
// neither before nor after the tir passes. Also expects that the schedule is
// printed as steps that reproduce it.
void ExpectSameResults(const TestProgram& program, const std::string& steps);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_SCHEDULE_CHECK_H_
