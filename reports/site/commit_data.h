// SiteCommits and CommitScript: what happened at the nights of each commit.
#ifndef ASSAY_REPORTS_SITE_COMMIT_DATA_H_
#define ASSAY_REPORTS_SITE_COMMIT_DATA_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/site/site_model.h"

namespace assay::reports {

// The number of events and of changed kernels that the file of a commit has.
constexpr size_t kCommitEvents = 500;
constexpr size_t kCommitKernels = 200;

struct SiteCommit {
  std::string sha;
  std::vector<uint32_t> runs;
  std::vector<uint32_t> runs_before;  // those before them, of other commits
  // Events with another cause than the machine, with the IDs of their cells.
  std::vector<std::pair<size_t, const SiteEvent*>> events;
  std::vector<const SiteBisection*> bisections;  // that name it
  std::string subject, author, date;             // empty if unknown
};

// Returns the commits by CommitKey().
std::map<std::string, SiteCommit> SiteCommits(const SiteModel& model);

// Returns a digest of what CommitScript() depends on.
std::string CommitFileKey(const SiteModel& model, const SiteCommit& commit);

absl::StatusOr<std::string> CommitScript(const SiteModel& model,
                                         const SiteCommit& commit);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_COMMIT_DATA_H_
