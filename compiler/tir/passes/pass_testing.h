// For the tests of passes: text in, text out.
#ifndef ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_
#define ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_

#include <string>

#include "absl/strings/string_view.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// The text of function `before` after `pass`; a parse error is a test failure.
std::string RunPass(Stmt (*pass)(const Stmt&), absl::string_view before);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_PASS_TESTING_H_
