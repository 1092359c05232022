// Splits the text of a program into the tokens that tir/parser reads.
//
// Words are [A-Za-z_][A-Za-z0-9_.]*; a number is everything from its first
// digit to the end of its suffix (`3`, `3i64`, `1e-07f`); punctuation is one
// or two characters. `//` starts a comment that ends with the line. Whitespace
// only separates; that a token starts a line can be told by Token::line.
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

// The tokens, a kEnd last. The error names the line and the character.
absl::StatusOr<std::vector<Token>> Tokenize(absl::string_view text);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_LEXER_H_
