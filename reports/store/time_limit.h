// TimeLimit: parses the times of flags such as --since.
#ifndef ASSAY_REPORTS_STORE_TIME_LIMIT_H_
#define ASSAY_REPORTS_STORE_TIME_LIMIT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace assay::reports {

// Converts `2024-05-01`, `2024-05-01T12:00:00Z`, or an age before `now` such as
// `30d` or `12h` to `2024-05-01T12:00:00Z` (UTC), the format of start times.
// The error quotes the text and lists the accepted formats.
absl::StatusOr<std::string> TimeLimit(absl::string_view text, absl::Time now);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_TIME_LIMIT_H_
