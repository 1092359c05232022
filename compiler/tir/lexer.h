// The lexer of tir/parser.
//
// Words are [A-Za-z_][A-Za-z0-9_.]*; a number extends from its first digit to
// the end of its suffix (`3`, `3i64`, `1e-07f`); punctuation is one or two
// characters long. `//` starts a comment that extends to the end of the line.
// Whitespace separates tokens and is otherwise ignored; Token::line tells where
// a line starts.
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

// The tokens, terminated by kEnd. Errors name the line and the character.
absl::StatusOr<std::vector<Token>> Tokenize(absl::string_view text);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_LEXER_H_
