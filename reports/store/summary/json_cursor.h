// JsonCursor: reads a JSON text from front to back, without making a tree of
// it. The caller says what it expects; once something else is there, or the
// text is not JSON, ok() is false, and all later calls do nothing.
//
//   JsonCursor c(text);
//   c.Object([&](absl::string_view key) {
//     if (key == "name") c.String(&name);
//     else c.Skip();
//   });
//   if (!c.AtEnd()) ...
#ifndef ASSAY_REPORTS_STORE_SUMMARY_JSON_CURSOR_H_
#define ASSAY_REPORTS_STORE_SUMMARY_JSON_CURSOR_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace assay::reports {

class JsonCursor {
 public:
  // `text` must outlive the cursor.
  explicit JsonCursor(absl::string_view text)
      : at_(text.data()), end_(text.data() + text.size()) {}

  bool ok() const { return ok_; }
  // True if everything was read and nothing was wrong.
  bool AtEnd();

  // Read the value at the cursor. After an error, `*out` is unspecified.
  void String(std::string* out);
  void Number(double* out);
  void Integer(int64_t* out);
  void Bool(bool* out);
  // Reads `null` and returns true, or returns false if another value is there.
  bool Null();
  // Reads any value.
  void Skip();

  // Calls `member(key)` for each member; it must read the value. The key is
  // valid until then.
  template <typename F>
  void Object(F member) {
    if (!Take('{') || TryTake('}')) return;
    std::string key;
    do {
      String(&key);
      if (!Take(':')) return;
      member(absl::string_view(key));
    } while (ok_ && TryTake(','));
    Take('}');
  }
  // Calls `element()` for each element; it must read the value.
  template <typename F>
  void Array(F element) {
    if (!Take('[') || TryTake(']')) return;
    do {
      element();
    } while (ok_ && TryTake(','));
    Take(']');
  }

  // Makes ok() false: the caller cannot use what it read.
  void Fail() { ok_ = false; }

 private:
  void SkipSpace();
  bool TryTake(char c);
  bool Take(char c);
  bool TakeWord(absl::string_view word);
  // Decodes from the first backslash.
  void EscapedString(std::string* out);
  bool Escape(std::string* out);
  bool HexDigits(uint32_t* code);

  const char* at_;
  const char* const end_;
  bool ok_ = true;
  int depth_ = 0;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_SUMMARY_JSON_CURSOR_H_
