// TimeLimit: a point in time as a person gives it, as runs write theirs.
#ifndef ASSAY_REPORTS_STORE_TIME_LIMIT_H_
#define ASSAY_REPORTS_STORE_TIME_LIMIT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace assay::reports {

// `2024-05-01`, `2024-05-01T12:00:00Z`, or `30d` or `12h` before `now`, as
// `2024-05-01T12:00:00Z`. Times are UTC. The error quotes the text and says
// what it may be.
absl::StatusOr<std::string> TimeLimit(absl::string_view text, absl::Time now);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_TIME_LIMIT_H_
