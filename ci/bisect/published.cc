#include "ci/bisect/published.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "reports/history/events.h"
#include "reports/history/series.h"
#include "suites/harness/cell_filter.h"

namespace assay::ci {
namespace {

// `COMMIT+` is a tree with changes.
bool IsCommit(const std::string& commit) {
  return !commit.empty() &&
         std::all_of(commit.begin(), commit.end(),
                     [](char c) { return absl::ascii_isxdigit(c); });
}

}  // namespace

std::vector<PublishedRegression> PublishedRegressions(
    absl::Span<const reports::RunResult> history) {
  // The newest run of each suite.
  std::map<std::string, size_t> newest;
  for (size_t run = 0; run < history.size(); ++run) {
    for (const reports::Row& row : history[run].rows) newest[row.suite] = run;
  }
  const reports::AnalyzedHistory analyzed = reports::AnalyzeHistory(history);
  std::map<std::pair<std::string, std::string>, PublishedRegression>
      regressions;
  for (const reports::Event& event : analyzed.events) {
    const reports::Series& series = analyzed.series[event.series];
    if (!event.published || event.point == 0 ||
        series.metric != reports::Metric::kLatency ||
        !event.side_by_side.has_value()) {
      continue;
    }
    const size_t run = series.points[event.point].run;
    if (run != newest[series.row->suite]) continue;
    const std::string& good =
        history[series.points[event.point - 1].run].commit;
    const std::string& bad = history[run].commit;
    if (good == bad || !IsCommit(good) || !IsCommit(bad)) continue;
    PublishedRegression& regression = regressions[{good, bad}];
    regression.good = good;
    regression.bad = bad;
    const reports::CellKey& cell = series.row->cell;
    regression.cells.push_back(
        suites::CellName(cell.model, cell.device, cell.variant, cell.threads));
  }
  std::vector<PublishedRegression> list;
  for (auto& [key, regression] : regressions) {
    list.push_back(std::move(regression));
  }
  return list;
}

}  // namespace assay::ci
