// WriteSite: writes the data files of a site, the feed and the summary.
//
// Files that did not change are left alone. The front page is written last, so
// a site whose writer was killed shows either the nights that it had before or
// those that it has now; the next writer finishes the rest.
#ifndef ASSAY_REPORTS_SITE_SITE_WRITER_H_
#define ASSAY_REPORTS_SITE_SITE_WRITER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/site/site_events.h"
#include "reports/site/site_model.h"

namespace assay::reports {

struct SiteOptions {
  std::string folder;
  SiteEventOptions events;
  // Names and contents of files that are the same for all stores.
  std::vector<std::pair<absl::string_view, absl::string_view>> pages;
};

struct SiteSummary {
  size_t cells = 0;
  size_t runs = 0;
  size_t attention = 0;
  int64_t files_written = 0;
  int64_t bytes_written = 0;
  // One sentence if IDs of an earlier site were lost; else empty.
  std::string warning;
};

// Returns Unavailable if the site cannot be written.
absl::StatusOr<SiteSummary> WriteSite(const SiteInput& input,
                                      const SiteOptions& options);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_SITE_WRITER_H_
