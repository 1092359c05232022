// Numeric literals of tir text: digits and a type suffix.
#ifndef ASSAY_COMPILER_TIR_PARSE_LITERAL_H_
#define ASSAY_COMPILER_TIR_PARSE_LITERAL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/expr/expr.h"

namespace assay::tir {

// Parses `3`, `3i64`, `255u8`, `0.5f`, `inff`, `nanbf16`, …, negated if
// `negative`. Returns an error if the text is not a number or the value does
// not fit the type.
absl::StatusOr<expr::Expr> ParseLiteral(absl::string_view text, bool negative);

// Returns true if a word (not a number token) is a literal: `inff`, `nanf64`, …
bool IsLiteralWord(absl::string_view text);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PARSE_LITERAL_H_
