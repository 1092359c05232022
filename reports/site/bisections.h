// ReadBisections: the reports of //ci:bisect that a store has, in
// STORE/bisections/NAME.json.
#ifndef ASSAY_REPORTS_SITE_BISECTIONS_H_
#define ASSAY_REPORTS_SITE_BISECTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/site/site_model.h"

namespace assay::reports {

struct SiteBisections {
  std::vector<SiteBisection> reports;  // ordered by name
  // Sentences about files that were skipped: `NAME.json` is not JSON.
  std::vector<std::string> skipped;
};

// Reads the reports. A folder that does not exist has none. Files are skipped
// if their names have other characters than letters, digits, `.`, `_` and `-`,
// or if their contents are not a JSON object.
absl::StatusOr<SiteBisections> ReadBisections(const std::string& folder);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_BISECTIONS_H_
