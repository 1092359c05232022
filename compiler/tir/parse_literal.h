// Parses the numeric literals of the text form of loop programs.
#ifndef ASSAY_COMPILER_TIR_PARSE_LITERAL_H_
#define ASSAY_COMPILER_TIR_PARSE_LITERAL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/expr/expr.h"

namespace assay::tir {

// Parses a literal: a number, `inf` or `nan`, followed by a type suffix. Only
// int32 literals have no suffix. Examples: `3`, `3i64`, `255u8`, `0.5f`,
// `inff`, `nanbf16`. If `negative` is true, negates the value. Returns
// InvalidArgument if `text` is not a literal, or if an integer does not fit its
// type.
absl::StatusOr<expr::Expr> ParseLiteral(absl::string_view text, bool negative);

// Returns true if `text` is a literal that the lexer returns as a word instead
// of a number, such as `inff` or `nanf64`.
bool IsLiteralWord(absl::string_view text);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PARSE_LITERAL_H_
