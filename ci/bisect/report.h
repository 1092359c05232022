// The report of a bisection: for people as Markdown, which is also readable on
// a terminal, and for programs as JSON.
#ifndef ASSAY_CI_BISECT_REPORT_H_
#define ASSAY_CI_BISECT_REPORT_H_

#include <string>
#include <vector>

#include "ci/bisect/commits/repository.h"
#include "ci/bisect/search/cell_bisection.h"

namespace assay::ci {

struct BisectReport {
  // If the commits are those of a branch, the merge of this branch.
  std::string merge;
  // The good end and all commits after it; element i is commit i of a
  // Candidate.
  std::vector<Commit> commits;
  std::string suite;
  // Flags of the suite, for the command that shows a change again.
  std::vector<std::string> flags;
  int builds = 0;
  double building_s = 0;
  std::vector<CellResult> cells;
  // The reports of the branches that culprits merged, if they were bisected.
  std::vector<BisectReport> branches;
};

std::string FormatMarkdown(const BisectReport& report);

// An object with the members `good`, `bad`, `merge`, `suite`, `builds`,
// `building_s`, `cells` and `branches`, which has such objects. An element of
// `cells` has `cell`, `metric`, `status`, `reason`, `candidates`,
// `measurements`, `measuring_s` and `findings`; a finding has `suspects` (each
// with `commit`, `author`, `date` and `subject`), `before`, `after`,
// `confirmed`, `error`, `change` and `reproduce`, and, if it was measured,
// `relative_change`, `lower`, `upper`, `kernel`, `kernel_ms`, `whole_ms` and
// `folder`.
std::string FormatJson(const BisectReport& report);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_REPORT_H_
