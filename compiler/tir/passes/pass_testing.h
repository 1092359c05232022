// Helpers for tests of passes. They apply a pass to the text of a program, and
// check with tir/interpreter that the pass does not change the outputs.
#ifndef ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_
#define ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// Applies `pass` to the body of the function with text `before`, and returns
// the text of the result. The test fails if `before` cannot be parsed, or if
// ExpectSameOutputs fails for the functions before and after the pass.
std::string RunPass(Stmt (*pass)(const Stmt&), absl::string_view before,
                    float tolerance = 0);

// Interprets `a` and `b` with the same random inputs, drawn with `seed`. `b` is
// run twice. The first run executes the iterations of parallel and vectorized
// loops in order; the second run executes them in random order. The test fails
// if a run fails or if outputs differ. If `tolerance` is 0, outputs must be
// bitwise equal. Otherwise all outputs must be float32, and elements may differ
// by at most `tolerance`.
void ExpectSameOutputs(const Function& a, const Function& b, uint64_t seed,
                       float tolerance = 0);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_
