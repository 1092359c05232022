#include "compiler/tir/lexer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace assay::tir {
namespace {

bool IsWordStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsWordPart(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '.';
}

// The end of the number that starts at `begin`, including a signed exponent.
size_t NumberEnd(absl::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size()) {
    const bool exponent_sign =
        (text[end] == '-' || text[end] == '+') && text[end - 1] == 'e';
    if (!IsWordPart(text[end]) && !exponent_sign) break;
    ++end;
  }
  return end;
}

size_t PunctuationEnd(absl::string_view text, size_t begin) {
  static constexpr absl::string_view kPairs[] = {"==", "!=", "<=", "&&", "||"};
  for (absl::string_view pair : kPairs) {
    if (text.substr(begin, 2) == pair) return begin + 2;
  }
  static constexpr absl::string_view kSingles = "()[]{},:%+-*/<!=";
  return kSingles.find(text[begin]) == absl::string_view::npos ? begin
                                                               : begin + 1;
}

}  // namespace

absl::StatusOr<std::vector<Token>> Tokenize(absl::string_view text) {
  std::vector<Token> tokens;
  int line = 1;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (absl::ascii_isspace(c)) {
      ++at;
      continue;
    }
    if (text.substr(at, 2) == "//") {
      while (at < text.size() && text[at] != '\n') ++at;
      continue;
    }
    Token token;
    token.line = line;
    size_t end = at;
    if (IsWordStart(c)) {
      token.kind = Token::Kind::kWord;
      while (end < text.size() && IsWordPart(text[end])) ++end;
    } else if (absl::ascii_isdigit(c)) {
      token.kind = Token::Kind::kNumber;
      end = NumberEnd(text, at);
    } else {
      token.kind = Token::Kind::kPunctuation;
      end = PunctuationEnd(text, at);
      if (end == at) {
        return absl::InvalidArgumentError(
            absl::StrCat("line ", line, ": unexpected character `",
                         absl::CEscape(absl::string_view(&text[at], 1)), "`"));
      }
    }
    token.text = std::string(text.data() + at, end - at);
    tokens.push_back(std::move(token));
    at = end;
  }
  Token end;
  end.line = line;
  tokens.push_back(end);
  return tokens;
}

}  // namespace assay::tir
