#include "reports/site/pages/pages.h"

#include <array>

#include "reports/page/assets.h"
#include "reports/site/pages/assets.h"

namespace assay::reports::site {

absl::Span<const PageFile> PageFiles() {
  static const std::array<PageFile, 18>& files = *new std::array<PageFile, 18>{{
      {"bisection.html", BisectionHtml()},
      {"bisection.js", BisectionJs()},
      {"cell.html", CellHtml()},
      {"cell.js", CellJs()},
      {"chart.js", ChartJs()},
      {"commit.html", CommitHtml()},
      {"commit.js", CommitJs()},
      {"compare.html", CompareHtml()},
      {"compare.js", CompareJs()},
      {"device.html", DeviceHtml()},
      {"device.js", DeviceJs()},
      {"grid.js", GridJs()},
      {"index.html", IndexHtml()},
      {"index.js", IndexJs()},
      {"site.css", SiteCss()},
      {"site.js", SiteJs()},
      {"uplot.css", ChartStyle()},
      {"uplot.js", ChartScript()},
  }};
  return files;
}

}  // namespace assay::reports::site
