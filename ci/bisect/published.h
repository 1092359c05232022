// PublishedRegressions: what the newest night of a history told people, and has
// not been bisected yet.
#ifndef ASSAY_CI_BISECT_PUBLISHED_H_
#define ASSAY_CI_BISECT_PUBLISHED_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "reports/result/run_result.h"

namespace assay::ci {

// Cells that became slower between the same two commits, which one bisection
// can explain.
struct PublishedRegression {
  std::string good;
  std::string bad;
  std::vector<std::string> cells;  // suites::CellName
};

// Returns the published slow-downs of latencies (reports/history/events.h) in
// the newest run of each suite, by the commits of this night and of the night
// before. Nights of a commit that was not recorded, or of a tree with changes
// that were not committed, cannot be bisected and are left out.
std::vector<PublishedRegression> PublishedRegressions(
    absl::Span<const reports::RunResult> history);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_PUBLISHED_H_
