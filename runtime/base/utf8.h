// DecodeUtf8: reads one character of a text that need not be valid UTF-8.
#ifndef ASSAY_RUNTIME_BASE_UTF8_H_
#define ASSAY_RUNTIME_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace assay {

struct Utf8Character {
  uint32_t code = 0;  // Unicode code point
  // Number of bytes; 0 if the text does not begin with a character in UTF-8.
  size_t bytes = 0;
};

// Returns the first character of `text`, which must not be empty. Overlong
// forms, surrogates and numbers above U+10FFFF are not valid.
Utf8Character DecodeUtf8(absl::string_view text);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_UTF8_H_
