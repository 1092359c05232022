// The JSON form of Attribution (comparison.h), a part of results.json.
#ifndef ASSAY_REPORTS_RESULT_ATTRIBUTION_JSON_H_
#define ASSAY_REPORTS_RESULT_ATTRIBUTION_JSON_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "reports/result/comparison.h"
#include "reports/result/json_reader.h"

namespace assay::reports {

// Returns null if there is no attribution.
Json FromAttribution(const std::optional<Attribution>& attribution);

// `path` is the name of the value in error messages.
absl::StatusOr<std::optional<Attribution>> ToAttribution(
    const Json& json, const std::string& path);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_ATTRIBUTION_JSON_H_
