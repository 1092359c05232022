// ParseHtml: a strict HTML parser for tests of generated pages. Unlike a
// browser it does not recover from errors.
//
// It requires that every element except void ones has an end tag in the right
// order; attributes are in double quotes and not repeated within an element;
// ids are unique; and `<`, `>`, `"` and `&` in text are written as character
// references. References in text and attributes are resolved; the contents of
// script and style are returned verbatim.
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
  std::string text;  // concatenation of the element's own text
  std::vector<HtmlElement> children;

  // Returns this element and its descendants, in document order, that have the
  // given tag and class. An empty name matches everything.
  std::vector<const HtmlElement*> Find(absl::string_view tag_name,
                                       absl::string_view class_name = "") const;
  // The text of this element and of all descendants, in unspecified order.
  std::string AllText() const;
};

// The error states the problem and its position.
absl::StatusOr<HtmlElement> ParseHtml(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_TESTING_HTML_H_
