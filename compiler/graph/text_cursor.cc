#include "compiler/graph/text_cursor.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

bool IsWordChar(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '/';
}

}  // namespace

void TextCursor::SkipSpace() {
  while (position_ < text_.size()) {
    if (absl::StartsWith(text_.substr(position_), "//")) {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else if (absl::ascii_isspace(text_[position_])) {
      if (text_[position_] == '\n') ++line_;
      ++position_;
    } else {
      return;
    }
  }
}

bool TextCursor::AtEnd() {
  SkipSpace();
  return position_ == text_.size();
}

bool TextCursor::NextIs(char c) { return !AtEnd() && text_[position_] == c; }

absl::Status TextCursor::Error(absl::string_view message) const {
  return absl::InvalidArgumentError(
      absl::StrCat("line ", line_, ": ", message));
}

std::string TextCursor::Found() {
  if (AtEnd()) return "the end of the text";
  size_t end = position_;
  while (end < text_.size() && IsWordChar(text_[end])) ++end;
  if (end == position_) ++end;
  return absl::StrCat(
      "`", absl::CEscape(text_.substr(position_, end - position_)), "`");
}

bool TextCursor::Try(absl::string_view token) {
  SkipSpace();
  if (!absl::StartsWith(text_.substr(position_), token)) return false;
  const size_t end = position_ + token.size();
  if (IsWordChar(token.back()) && end < text_.size() &&
      IsWordChar(text_[end])) {
    return false;
  }
  position_ = end;
  return true;
}

absl::Status TextCursor::Expect(absl::string_view token) {
  if (Try(token)) return absl::OkStatus();
  const std::string found = Found();
  return Error(absl::StrCat("expected `", token, "` but found ", found));
}

absl::StatusOr<absl::string_view> TextCursor::ReadWord(absl::string_view what) {
  SkipSpace();
  const size_t begin = position_;
  while (position_ < text_.size() && IsWordChar(text_[position_])) {
    ++position_;
  }
  if (position_ > begin) return text_.substr(begin, position_ - begin);
  const std::string found = Found();
  return Error(absl::StrCat("expected ", what, " but found ", found));
}

absl::StatusOr<std::string> TextCursor::ReadName(absl::string_view what) {
  if (NextIs('"')) return ReadQuoted();
  ASSAY_ASSIGN_OR_RETURN(const absl::string_view word, ReadWord(what));
  return std::string(word);
}

absl::StatusOr<std::string> TextCursor::ReadQuoted() {
  ASSAY_RETURN_IF_ERROR(Expect("\""));
  const size_t begin = position_;
  while (position_ < text_.size() && text_[position_] != '"' &&
         text_[position_] != '\n') {
    position_ += text_[position_] == '\\' ? 2 : 1;
  }
  if (position_ >= text_.size() || text_[position_] != '"') {
    return Error("a quoted name does not end on its line");
  }
  std::string name;
  if (!absl::CUnescape(text_.substr(begin, position_ - begin), &name)) {
    return Error("a quoted name has an escape that is not known");
  }
  ++position_;
  return name;
}

absl::StatusOr<absl::string_view> TextCursor::ReadTypeText() {
  ASSAY_RETURN_IF_ERROR(ReadWord("a type").status());
  size_t begin = position_;
  while (begin > 0 && IsWordChar(text_[begin - 1])) --begin;
  ASSAY_RETURN_IF_ERROR(Expect("["));
  while (position_ < text_.size() && text_[position_] != ']') ++position_;
  ASSAY_RETURN_IF_ERROR(Expect("]"));
  if (position_ < text_.size() && text_[position_] == '@') {
    while (position_ < text_.size() && text_[position_] != ')') ++position_;
    ASSAY_RETURN_IF_ERROR(Expect(")"));
  }
  return text_.substr(begin, position_ - begin);
}

absl::StatusOr<absl::string_view> TextCursor::ReadValueText() {
  SkipSpace();
  const size_t begin = position_;
  int depth = 0;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (depth == 0 && (c == ',' || c == '}')) break;
    if (c == '\n') break;
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    ++position_;
  }
  const absl::string_view value = absl::StripTrailingAsciiWhitespace(
      text_.substr(begin, position_ - begin));
  if (value.empty()) {
    const std::string found = Found();
    return Error(absl::StrCat("expected a value but found ", found));
  }
  return value;
}

}  // namespace assay::graph
