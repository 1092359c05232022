// Functions that the reports of repeated trials share.
#ifndef ASSAY_SUITES_TRIALS_REPORT_TEXT_H_
#define ASSAY_SUITES_TRIALS_REPORT_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/measure/device_facts.h"

namespace assay::suites {

// Confidence level of the bounds of rates.
constexpr double kBoundLevel = 0.95;

// Formats the rate `count / of` in percent, with its bounds (Clopper and
// Pearson), for example `99.0 [96.4, 99.9]`. Requires of > 0.
std::string RateText(int64_t count, int64_t of);

// Returns FailedPrecondition if `found` is not `method`: results of different
// methods must not be mixed. `what` says which results `folder` contains, for
// the error message.
absl::Status CheckMethod(absl::string_view folder, absl::string_view what,
                         absl::string_view found, absl::string_view method);

// Returns the report, which consists of the fingerprint and the identity of the
// machine, and `tables`. Writes the report to report.txt in `folder`, unless
// `folder` is empty.
absl::StatusOr<std::string> WriteReportFile(const std::string& folder,
                                            const runtime::DeviceFacts& machine,
                                            absl::string_view tables);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_REPORT_TEXT_H_
