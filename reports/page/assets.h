// Assets: functions that return the contents of the script and style files of
// the page of nightly runs (page_model.h). The build embeds these files in the
// program (embed.sh).
#ifndef ASSAY_REPORTS_PAGE_ASSETS_H_
#define ASSAY_REPORTS_PAGE_ASSETS_H_

#include "absl/strings/string_view.h"

namespace assay::reports {

absl::string_view ChartScript();  // uPlot.iife.min.js
absl::string_view ChartStyle();   // uPlot.min.css
absl::string_view PageScript();   // page.js
absl::string_view PageStyle();    // page.css

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_ASSETS_H_
