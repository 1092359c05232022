// FrontScript and NightsScript: data/front.js, all that the front page needs,
// and data/nights.js, the list of runs.
#ifndef ASSAY_REPORTS_SITE_FRONT_DATA_H_
#define ASSAY_REPORTS_SITE_FRONT_DATA_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/site/device_data.h"
#include "reports/site/site_model.h"

namespace assay::reports {

// The number of nights in the small history of a cell, and of the newest runs
// whose commits are listed.
constexpr size_t kSparkNights = 32;
constexpr size_t kFrontCommits = 200;

absl::StatusOr<std::string> FrontScript(const SiteModel& model,
                                        const std::vector<SiteDevice>& devices);

std::string NightsScript(const SiteModel& model);

// The result of a bisection, for lists.
struct BisectionSummary {
  std::string status;  // of the first cell
  std::string cell;
  std::string culprit;  // a commit; empty if there is none or several
  std::string subject;
  std::string change;
};
BisectionSummary SummaryOf(const SiteBisection& bisection);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_FRONT_DATA_H_
