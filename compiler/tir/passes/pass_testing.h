// For the tests of passes: text in, text out, and the same outputs before and
// after by tir/interpreter.
#ifndef ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_
#define ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// The text of function `before` after `pass`; a parse error is a test failure,
// and so is any difference between what the two compute from seeded inputs
// beyond `tolerance`.
std::string RunPass(Stmt (*pass)(const Stmt&), absl::string_view before,
                    float tolerance = 0);

// A test failure unless both are valid and compute the same from inputs drawn
// with `seed`, with parallel and vectorized iterations in order and shuffled:
// the same bits, or float32 outputs that differ by at most `tolerance`.
void ExpectSameOutputs(const Function& a, const Function& b, uint64_t seed,
                       float tolerance = 0);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_
