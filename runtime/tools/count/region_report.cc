#include "runtime/tools/count/region_report.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::runtime {

absl::StatusOr<std::vector<RegionCounts>> ParseRegions(absl::string_view text) {
  std::vector<RegionCounts> regions;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line == "end") return regions;
    if (absl::ConsumePrefix(&line, "error ")) {
      return absl::FailedPreconditionError(line);
    }
    if (line.empty()) break;
    const std::optional<RegionCounts> region = ParseRegionLine(line);
    if (!region.has_value()) {
      return absl::DataLossError(
          absl::StrCat("the counts of the plug-in have the line `", line, "`"));
    }
    regions.push_back(*region);
  }
  return absl::DataLossError("the counts of the plug-in are incomplete");
}

}  // namespace assay::runtime
