// ParseRegions: reads the text in which the plug-in (plugin.cc) reports the
// regions of a program.
//
// The text has one line for each region (region_counts.h) in the order of
// execution, and then the line `end`. If the plug-in cannot count, the line
// `error SENTENCE` comes before `end`.
#ifndef ASSAY_RUNTIME_TOOLS_COUNT_REGION_REPORT_H_
#define ASSAY_RUNTIME_TOOLS_COUNT_REGION_REPORT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/tools/count/region_counts.h"

namespace assay::runtime {

// Returns FailedPrecondition with the sentence of the line `error`, and
// DataLoss if the text is incomplete or damaged.
absl::StatusOr<std::vector<RegionCounts>> ParseRegions(absl::string_view text);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_COUNT_REGION_REPORT_H_
