#include "runtime/text/shell_word.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/plain_text.h"

namespace assay::runtime {

std::string ShellWord(absl::string_view text) {
  const bool plain =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return c != 0 &&
               (absl::ascii_isalnum(c) || std::strchr("-_=./:,+@%", c));
      });
  if (plain) return std::string(text);
  if (PlainText(text) != text) {
    return absl::StrCat(
        "$'",
        PlainText(absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}})),
        "'");
  }
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

}  // namespace assay::runtime
