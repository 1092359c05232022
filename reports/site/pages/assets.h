// Functions that return the contents of the files of the site's pages. The
// build embeds these files in the program (reports/page/embed.sh); PageFiles()
// names them.
#ifndef ASSAY_REPORTS_SITE_PAGES_ASSETS_H_
#define ASSAY_REPORTS_SITE_PAGES_ASSETS_H_

#include "absl/strings/string_view.h"

namespace assay::reports::site {

absl::string_view BisectionHtml();
absl::string_view BisectionJs();
absl::string_view CellHtml();
absl::string_view CellJs();
absl::string_view ChartJs();
absl::string_view CommitHtml();
absl::string_view CommitJs();
absl::string_view CompareHtml();
absl::string_view CompareJs();
absl::string_view DeviceHtml();
absl::string_view DeviceJs();
absl::string_view GridJs();
absl::string_view IndexHtml();
absl::string_view IndexJs();
absl::string_view SiteCss();
absl::string_view SiteJs();

}  // namespace assay::reports::site

#endif  // ASSAY_REPORTS_SITE_PAGES_ASSETS_H_
