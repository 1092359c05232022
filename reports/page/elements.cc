#include "reports/page/elements.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "reports/render/markup.h"

namespace assay::reports {

std::string FactHtml(absl::string_view term, absl::string_view value,
                     absl::string_view note) {
  std::string html = absl::StrCat("<div><dt>", EscapeMarkup(term), "</dt><dd>",
                                  EscapeMarkup(value));
  if (!note.empty()) {
    absl::StrAppend(&html, " <small>", EscapeMarkup(note), "</small>");
  }
  return absl::StrCat(html, "</dd></div>\n");
}

std::string CommandHtml(absl::string_view command) {
  std::vector<std::string> words;
  for (const absl::string_view word : absl::StrSplit(command, ' ')) {
    words.push_back(absl::StrCat("<span>", EscapeMarkup(word), "</span>"));
  }
  return absl::StrCat("<pre><code>", absl::StrJoin(words, " "),
                      "</code></pre>");
}

}  // namespace assay::reports
