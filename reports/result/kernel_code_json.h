// The JSON form of KernelCode: an object with `symbol`, `sources` and `digest`.
#ifndef ASSAY_REPORTS_RESULT_KERNEL_CODE_JSON_H_
#define ASSAY_REPORTS_RESULT_KERNEL_CODE_JSON_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/result/build_facts.h"
#include "reports/result/json_reader.h"

namespace assay::reports {

Json FromKernelCode(const std::vector<KernelCode>& code);

// Returns an empty vector if `array` is null, as older files do not have it.
// `path` is the name of the array in error messages.
absl::StatusOr<std::vector<KernelCode>> ToKernelCode(const Json& array,
                                                     const std::string& path);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_KERNEL_CODE_JSON_H_
