// TextCursor: reads the tokens of the graph text form. Used by the parser only.
//
// White space and `//` comments before a token are skipped. Errors of Expect
// and Read functions name the line and the token found there; Try functions
// consume a token only on success.
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

  bool AtEnd();
  int line() const { return line_; }
  // An error at the current line.
  absl::Status Error(absl::string_view message) const;

  // `token` is punctuation or a whole word.
  bool Try(absl::string_view token);
  absl::Status Expect(absl::string_view token);
  // Letters, digits, `_`, `.` and `/`.
  absl::StatusOr<absl::string_view> ReadWord(absl::string_view what);
  // A word or a quoted string, which may be empty.
  absl::StatusOr<std::string> ReadName(absl::string_view what);
  absl::StatusOr<std::string> ReadQuoted();
  // `float32[1,3]`.
  absl::StatusOr<absl::string_view> ReadTypeText();
  // An attribute value: up to `,` or `}` outside brackets.
  absl::StatusOr<absl::string_view> ReadValueText();
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
