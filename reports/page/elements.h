// HTML elements that several pages share (page.css has their styles). All
// arguments are text, which these functions escape.
#ifndef ASSAY_REPORTS_PAGE_ELEMENTS_H_
#define ASSAY_REPORTS_PAGE_ELEMENTS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::reports {

// Returns an entry of a `dl` element of the class `facts`, with `note` in small
// letters unless it is empty.
std::string FactHtml(absl::string_view term, absl::string_view value,
                     absl::string_view note);

// Returns a `pre` element with a command, whose lines break only between words,
// not at hyphens.
std::string CommandHtml(absl::string_view command);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_ELEMENTS_H_
