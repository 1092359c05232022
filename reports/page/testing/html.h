// ParseHtml: reads HTML more strictly than a browser does, for tests of what we
// write. A browser forgives; what it forgives is a mistake of ours.
//
// Required are: every element but the void ones has an end tag, in order;
// attributes stand in double quotes, each once in its element; ids are unique;
// `<`, `>` and `"` in text are references, as are `&` that begin none. Text
// and attributes come back without references; those of script and style are as
// they are written.
#ifndef ASSAY_REPORTS_PAGE_TESTING_HTML_H_
#define ASSAY_REPORTS_PAGE_TESTING_HTML_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

struct HtmlElement {
  std::string tag;
  std::map<std::string, std::string> attributes;
  std::string text;  // its own, in one piece
  std::vector<HtmlElement> children;

  // This and what is in it, in order, that satisfies all that is not empty.
  std::vector<const HtmlElement*> Find(absl::string_view tag_name,
                                       absl::string_view class_name = "") const;
  // Its text and that of all below it, in no order to rely on.
  std::string AllText() const;
};

// The error says what is wrong and where.
absl::StatusOr<HtmlElement> ParseHtml(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_TESTING_HTML_H_
