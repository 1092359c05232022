// RenderDocument: renders a self-contained HTML document. The document needs no
// server, no network and no other file.
//
//   HtmlDocument document;
//   document.title = "Assay: nightly runs";
//   document.styles = {PageStyle()};
//   document.body = absl::StrCat("<h1>", EscapeMarkup(name), "</h1>\n");
//   document.scripts = {PageScript()};
//   WriteFileAtomic("page.html", RenderDocument(document));
//
// The content security policy allows only the given scripts and style sheets,
// which it identifies by their digests, and forbids the loading of any
// resource. Therefore attributes such as `style` and `onclick` have no effect.
#ifndef ASSAY_REPORTS_PAGE_DOCUMENT_H_
#define ASSAY_REPORTS_PAGE_DOCUMENT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::reports {

struct HtmlDocument {
  std::string title;  // text, which RenderDocument() escapes
  // Style sheets, in the order in which they apply. They are not escaped, and
  // must not contain `</`.
  std::vector<absl::string_view> styles;
  std::string body;  // HTML
  // Scripts, which run in this order after the body. Like style sheets, they
  // are not escaped, and must not contain `</`.
  std::vector<absl::string_view> scripts;
};

std::string RenderDocument(const HtmlDocument& document);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_DOCUMENT_H_
