// NewestBuilds: what each cell of a store consisted of when it was timed last.
// A nightly run compares each program that has changed since then with the
// program of that night (JudgeStage in suites/harness/judge.h).
#ifndef ASSAY_REPORTS_STORE_NEWEST_BUILDS_H_
#define ASSAY_REPORTS_STORE_NEWEST_BUILDS_H_

#include <map>
#include <string>
#include <tuple>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/build_facts.h"
#include "reports/result/cell_key.h"

namespace assay::reports {

class NewestBuilds {
 public:
  struct Build {
    std::string started_at;  // of the run
    BuildFacts facts;
  };

  // Knows no cell.
  NewestBuilds() = default;

  // Reads the runs of the store in `folder` that started within `days` days
  // before `started_at`, a time like RunResult::started_at. A folder that does
  // not exist has no cells. Only rows that were timed on a real machine count.
  static absl::StatusOr<NewestBuilds> Read(const std::string& folder,
                                           absl::string_view started_at,
                                           int days);

  // Returns the newest build of the cell on machines with this fingerprint;
  // nullptr if there is none.
  const Build* Find(const std::string& suite, const CellKey& cell,
                    const std::string& fingerprint) const;

 private:
  std::map<std::tuple<std::string, CellKey, std::string>, Build> builds_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_NEWEST_BUILDS_H_
