// EscapeMarkup: escapes arbitrary text for XML and HTML.
//
// The result is valid between tags and in a double-quoted attribute. Tabs and
// line breaks become character references, since parsers turn them into spaces
// in attributes; bytes that are not UTF-8 and characters that are not valid in
// XML become U+FFFD.
//
// Not for scripts and style sheets, where character references have no meaning.
#ifndef ASSAY_REPORTS_RENDER_MARKUP_H_
#define ASSAY_REPORTS_RENDER_MARKUP_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::reports {

std::string EscapeMarkup(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_MARKUP_H_
