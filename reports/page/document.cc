#include "reports/page/document.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/render/markup.h"
#include "runtime/base/sha256.h"

namespace assay::reports {
namespace {

// The hash source of a script or style sheet in a content security policy.
void AppendSourceHash(std::string* out, absl::string_view text) {
  Sha256 hash;
  hash.Update(text);
  const Sha256Digest digest = hash.Finish();
  absl::StrAppend(
      out, "'sha256-",
      absl::Base64Escape(absl::string_view(
          reinterpret_cast<const char*>(digest.data()), digest.size())),
      "'");
}

std::string Elements(absl::string_view tag,
                     const std::vector<absl::string_view>& texts) {
  std::string html;
  for (const absl::string_view text : texts) {
    absl::StrAppend(&html, "<", tag, ">", text, "</", tag, ">\n");
  }
  return html;
}

}  // namespace

std::string RenderDocument(const HtmlDocument& document) {
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src ",
      "'none'; script-src ",
      absl::StrJoin(document.scripts, " ", AppendSourceHash), "; style-src ",
      absl::StrJoin(document.styles, " ", AppendSourceHash), "\">\n",
      "<meta name=\"viewport\" content=\"width=device-width\">\n",
      "<meta name=\"color-scheme\" content=\"light dark\">\n", "<title>",
      EscapeMarkup(document.title), "</title>\n",
      Elements("style", document.styles), "</head>\n<body>\n", document.body,
      Elements("script", document.scripts), "</body>\n</html>\n");
}

}  // namespace assay::reports
