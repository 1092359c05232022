// TextCursor: reads the tokens of the text form of graphs. Only the graph
// parser uses it.
//
// White space and `//` comments before a token are skipped. If Expect or a Read
// function does not find the expected token, it returns an error with the line
// and the token found there. Try consumes the token only if it returns true.
#ifndef ASSAY_COMPILER_GRAPH_TEXT_CURSOR_H_
#define ASSAY_COMPILER_GRAPH_TEXT_CURSOR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::graph {

class TextCursor {
 public:
  explicit TextCursor(absl::string_view text) : text_(text) {}

  // Returns true if only white space and comments are left.
  bool AtEnd();
  int line() const { return line_; }
  // Returns InvalidArgument with the current line and `message`.
  absl::Status Error(absl::string_view message) const;

  // If the next token is `token`, consumes it and returns true. Otherwise
  // returns false. `token` is punctuation or a whole word.
  bool Try(absl::string_view token);
  // Like Try(), but returns an error if `token` is not the next token.
  absl::Status Expect(absl::string_view token);
  // Reads a word, which consists of letters, digits, `_`, `.` and `/`. `what`
  // describes the word in error messages.
  absl::StatusOr<absl::string_view> ReadWord(absl::string_view what);
  // Reads a word or a quoted string. The quoted string may be empty.
  absl::StatusOr<std::string> ReadName(absl::string_view what);
  absl::StatusOr<std::string> ReadQuoted();
  // Reads a type such as `float32[1,3]` or `float32[1,8]@blocks(4)`.
  absl::StatusOr<absl::string_view> ReadTypeText();
  // Reads the value of an attribute. The value ends before the next line break,
  // or before the next `,` or `}` that is not in square brackets.
  absl::StatusOr<absl::string_view> ReadValueText();
  // Returns true if the next token begins with `c`.
  bool NextIs(char c);

 private:
  void SkipSpace();
  std::string Found();

  absl::string_view text_;
  size_t position_ = 0;
  int line_ = 1;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TEXT_CURSOR_H_
