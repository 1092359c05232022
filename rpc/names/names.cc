#include "rpc/names/names.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace assay::rpc {

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' ||
         c == '_' || c == '-';
}

bool IsName(absl::string_view text) {
  return !text.empty() && text.size() <= kMaxName && text != "." &&
         text != ".." && std::all_of(text.begin(), text.end(), IsNameCharacter);
}

absl::Status CheckName(absl::string_view what, absl::string_view text) {
  if (IsName(text)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the ", what, " `", absl::CHexEscape(text.substr(0, kMaxName)),
      "` is not a name of 1 to ", kMaxName,
      " letters, digits and characters of `._-`"));
}

}  // namespace assay::rpc
