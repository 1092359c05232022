// Assets: functions that return the contents of the script and style files of
// the page of a tuning run (tuning_page.h). The build embeds these files in the
// program (reports/page/embed.sh).
#ifndef ASSAY_SUITES_TUNE_PAGE_ASSETS_H_
#define ASSAY_SUITES_TUNE_PAGE_ASSETS_H_

#include "absl/strings/string_view.h"

namespace assay::suites {

absl::string_view TuningScript();  // tuning.js
absl::string_view TuningStyle();   // tuning.css

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PAGE_ASSETS_H_
