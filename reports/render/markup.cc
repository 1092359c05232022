#include "reports/render/markup.h"

#include <array>
#include <cstdint>

#include "absl/strings/str_cat.h"

namespace assay::reports {
namespace {

constexpr char kReplacement[] = "\xEF\xBF\xBD";

// The length of the UTF-8 character at the start of the non-empty `text`; 0 if
// it is invalid or XML cannot represent it.
size_t CharacterLength(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) {
    return first >= 0x20 || first == '\t' || first == '\n' || first == '\r';
  }
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  uint32_t code = first & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool sound = code >= kLeast[length] && code <= 0x10FFFF && !surrogate &&
                     code != 0xFFFE && code != 0xFFFF;
  return sound ? length : 0;
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
