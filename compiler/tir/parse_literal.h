// Numbers as tir text writes them: digits and the suffix of a type.
#ifndef ASSAY_COMPILER_TIR_PARSE_LITERAL_H_
#define ASSAY_COMPILER_TIR_PARSE_LITERAL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/expr/expr.h"

namespace assay::tir {

// `3`, `3i64`, `255u8`, `0.5f`, `inff`, `nanbf16`, …, negated if `negative`.
// An error where the text is no number or the value does not fit the type.
absl::StatusOr<expr::Expr> ParseLiteral(absl::string_view text, bool negative);

// Whether a word (not a number token) is a literal: `inff`, `nanf64`, …
bool IsLiteralWord(absl::string_view text);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PARSE_LITERAL_H_
