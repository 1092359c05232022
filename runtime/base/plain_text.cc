#include "runtime/base/plain_text.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "runtime/base/utf8.h"

namespace assay {
namespace {

// Control characters, line and paragraph separators, and the characters that
// change the direction of text.
bool IsControl(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E ||
         code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

void Escape(char c, std::string* out) {
  switch (c) {
    case '\n':
      *out += "\\n";
      break;
    case '\r':
      *out += "\\r";
      break;
    case '\t':
      *out += "\\t";
      break;
    default:
      absl::StrAppend(out, "\\x",
                      absl::Hex(static_cast<uint8_t>(c), absl::kZeroPad2));
  }
}

std::string Plain(absl::string_view text, bool keep_line_breaks) {
  std::string out;
  while (!text.empty()) {
    const Utf8Character character = DecodeUtf8(text);
    const size_t length = character.bytes == 0 ? 1 : character.bytes;
    const bool kept = keep_line_breaks && character.code == '\n';
    if (character.bytes > 0 && (kept || !IsControl(character.code))) {
      absl::StrAppend(&out, text.substr(0, length));
    } else {
      for (const char c : text.substr(0, length)) Escape(c, &out);
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

std::string PlainText(absl::string_view text) {
  return Plain(text, /*keep_line_breaks=*/false);
}

std::string PlainLines(absl::string_view text) {
  return Plain(text, /*keep_line_breaks=*/true);
}

}  // namespace assay
