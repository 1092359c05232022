// CheckedLine: the form of the lines of a store.
//
//   {"id":"<64 hex digits>",<body>
//
// `id` is the SHA-256 of the body, the text from the following comma to the end
// of the line, without the line break. It identifies the content: equal bodies
// have equal ids on all machines. It is also a checksum that detects truncated
// and modified lines.
#ifndef ASSAY_REPORTS_STORE_CHECKED_LINE_H_
#define ASSAY_REPORTS_STORE_CHECKED_LINE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

// Returns the line of a body, including the line break. The body is the members
// of a JSON object, followed by `}`, on one line.
std::string CheckedLine(absl::string_view body);

// Returns the body of a line with or without the line break. Returns
//   - InvalidArgument if the line does not have this form;
//   - DataLoss if the id is wrong.
absl::StatusOr<absl::string_view> BodyOf(absl::string_view line);

// Returns the id of a line that BodyOf() accepts.
absl::string_view IdOf(absl::string_view line);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_CHECKED_LINE_H_
