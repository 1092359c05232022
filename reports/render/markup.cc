#include "reports/render/markup.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "runtime/base/utf8.h"

namespace assay::reports {
namespace {

constexpr char kReplacement[] = "\xEF\xBF\xBD";

// The length of the UTF-8 character at the start of the non-empty `text`; 0 if
// it is invalid or XML cannot represent it.
size_t CharacterLength(absl::string_view text) {
  const Utf8Character character = DecodeUtf8(text);
  const uint32_t code = character.code;
  const bool control =
      code < 0x20 && code != '\t' && code != '\n' && code != '\r';
  return control || code == 0xFFFE || code == 0xFFFF ? 0 : character.bytes;
}

}  // namespace

std::string EscapeMarkup(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    switch (length == 1 ? text[0] : 0) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\t':
      case '\n':
      case '\r':
        absl::StrAppend(&out, "&#", static_cast<int>(text[0]), ";");
        break;
      default:
        absl::StrAppend(&out,
                        length == 0 ? kReplacement : text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace assay::reports
