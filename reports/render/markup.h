// EscapeMarkup: escapes arbitrary text for XML and HTML.
//
// The result can be used between tags and in a double-quoted attribute. Tabs
// and line breaks become character references, because XML parsers replace
// unescaped tabs and line breaks in attributes by spaces. Bytes that are not
// UTF-8 and characters that are not valid in XML become U+FFFD.
//
// Do not use EscapeMarkup in HTML scripts and style sheets, where character
// references are not interpreted.
#ifndef ASSAY_REPORTS_RENDER_MARKUP_H_
#define ASSAY_REPORTS_RENDER_MARKUP_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::reports {

std::string EscapeMarkup(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_MARKUP_H_
