// TimeLimit: parses the value of a flag that specifies a time, such as --since.
#ifndef ASSAY_REPORTS_STORE_TIME_LIMIT_H_
#define ASSAY_REPORTS_STORE_TIME_LIMIT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace assay::reports {

// Parses `text`, which must be one of
//   - a day: `2024-05-01` (midnight UTC);
//   - a time: `2024-05-01T12:00:00Z`;
//   - an age relative to `now`, in days or hours: `30d` or `12h`.
// Returns the time in the format of RunResult::started_at
// (`2024-05-01T12:00:00Z`, UTC). Returns InvalidArgument, with `text` and the
// accepted formats, if `text` has none of these formats.
absl::StatusOr<std::string> TimeLimit(absl::string_view text, absl::Time now);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_TIME_LIMIT_H_
