// Texts that the table and the cards of the page of a tuning run share.
#ifndef ASSAY_SUITES_TUNE_PAGE_FORMAT_H_
#define ASSAY_SUITES_TUNE_PAGE_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "suites/tune/page/page_model.h"

namespace assay::suites {

// Returns the number of failed trials.
int64_t CountErrors(const ErrorCounts& errors);

// Returns the number of failed trials by status, for example `build error: 7,
// wrong: 5`; `none` if no trial failed.
std::string DescribeErrors(const ErrorCounts& errors);

// Returns the rate of a kernel of `task` that takes `nanos` (PageTask::Rate),
// with three significant digits and without its unit.
std::string FormatRate(const PageTask& task, double nanos);

// Returns `12.3 %` for 0.123, with a no-break space.
std::string FormatPercent(double part);

// Cuts the text after kLongestText bytes, and escapes it for HTML.
constexpr size_t kLongestText = 2000;
std::string EscapeCut(absl::string_view text);

// Returns the badge of the verdict, as HTML.
std::string VerdictHtml(const TuningVerdict& verdict);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PAGE_FORMAT_H_
