// The JSON form of BlockState: an object with `samples`, `before` and `after`.
// The latter two have only the members that the device has reported.
#ifndef ASSAY_REPORTS_RESULT_BLOCK_STATE_JSON_H_
#define ASSAY_REPORTS_RESULT_BLOCK_STATE_JSON_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/result/device_state.h"
#include "reports/result/json_reader.h"

namespace assay::reports {

Json FromBlockStates(const std::vector<BlockState>& blocks);

// Returns an empty vector if `array` is null, as older files do not have it.
// `path` is the name of the array in error messages.
absl::StatusOr<std::vector<BlockState>> ToBlockStates(const Json& array,
                                                      const std::string& path);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_BLOCK_STATE_JSON_H_
