// ParseHtml: a strict HTML parser for tests of generated pages. Unlike a
// browser, the parser does not recover from errors.
//
// The parser requires that
//   - the document starts with `<!DOCTYPE html>`;
//   - all elements except void elements (`br`, `img`, `input`, `link`, `meta`)
//     have end tags, and elements are properly nested;
//   - attribute values are in double quotes, and no attribute is repeated
//     within an element;
//   - ids are unique;
//   - `<`, `>`, `"` and `&` in text and attribute values are written as
//     character references.
// Character references are resolved. The contents of `script` and `style`
// elements are returned verbatim.
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
  // The text directly in this element, without the text of its children.
  std::string text;
  std::vector<HtmlElement> children;

  // Searches this element and its descendants. Returns the elements that have
  // the given tag and class, in document order. An empty name matches
  // everything.
  std::vector<const HtmlElement*> Find(absl::string_view tag_name,
                                       absl::string_view class_name = "") const;
  // Returns the text of this element and of all its descendants. The text of an
  // element precedes the texts of its children. The texts are separated by
  // spaces.
  std::string AllText() const;
};

// Parses an HTML document. Returns a root without a tag, whose children are the
// top-level elements. Returns InvalidArgument, with the problem and its byte
// position, if the document violates a rule above.
absl::StatusOr<HtmlElement> ParseHtml(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_TESTING_HTML_H_
