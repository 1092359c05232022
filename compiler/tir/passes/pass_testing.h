// Helpers for tests of passes: text in, text out, plus a check with
// tir/interpreter that outputs are the same before and after.
#ifndef ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_
#define ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// Applies `pass` to the function with text `before` and returns the resulting
// text. Parse errors and outputs, computed from seeded inputs, that differ by
// more than `tolerance` are test failures.
std::string RunPass(Stmt (*pass)(const Stmt&), absl::string_view before,
                    float tolerance = 0);

// Fails the test unless both functions are valid and compute the same outputs
// from inputs drawn with `seed`, with iterations of parallel and vectorized
// loops in order and shuffled. Outputs must be bitwise equal, or float32 values
// that differ by at most `tolerance`.
void ExpectSameOutputs(const Function& a, const Function& b, uint64_t seed,
                       float tolerance = 0);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_
