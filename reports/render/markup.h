// EscapeMarkup: text of others inside XML and HTML.
//
// The result may stand between tags and inside an attribute's double quotes: no
// character of it begins or ends either. Tabs and line breaks become character
// references, since in an attribute they would become spaces; bytes that are no
// UTF-8, and characters that XML cannot hold, become U+FFFD.
//
// Not for scripts and style sheets, where references mean nothing.
#ifndef ASSAY_REPORTS_RENDER_MARKUP_H_
#define ASSAY_REPORTS_RENDER_MARKUP_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::reports {

std::string EscapeMarkup(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_MARKUP_H_
