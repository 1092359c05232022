// Tokenize: splits the text of a loop program into tokens, for tir/parser.
//
//   - A word matches [A-Za-z_][A-Za-z0-9_.]*.
//   - A number extends from its first digit to the end of its type suffix, for
//     example `3`, `3i64`, `1e-07f`. A sign before the first digit is a
//     separate token.
//   - A punctuation token has one or two characters.
//   - `//` starts a comment that extends to the end of the line.
// Whitespace separates tokens and is otherwise ignored. Token::line is the
// 1-based number of the line that contains the token.
#ifndef ASSAY_COMPILER_TIR_LEXER_H_
#define ASSAY_COMPILER_TIR_LEXER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::tir {

struct Token {
  enum class Kind { kWord, kNumber, kPunctuation, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;
  int line = 0;

  bool Is(absl::string_view what) const {
    return kind != Kind::kEnd && text == what;
  }
};

// Returns the tokens, followed by a kEnd token. Returns InvalidArgument, with
// the line number and the character, if a character cannot start a token.
absl::StatusOr<std::vector<Token>> Tokenize(absl::string_view text);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_LEXER_H_
