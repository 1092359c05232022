// What becomes of a row that has no time to publish, and how rows are called in
// remarks.
#ifndef ASSAY_SUITES_HARNESS_ROW_OUTCOME_H_
#define ASSAY_SUITES_HARNESS_ROW_OUTCOME_H_

#include <string>

#include "absl/status/status.h"
#include "reports/result/run_result.h"

namespace assay::suites {

// `resnet18 on host, fusion on, 2 threads: `.
std::string Label(const reports::Row& row);

// Nothing was measured, for this reason: `infrastructure`.
void Fail(const absl::Status& status, reports::Row* row);

// An answer is wrong, so no time of it is worth anything: `wrong_output`.
void MarkWrongOutput(const std::string& reason, reports::Row* row);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_ROW_OUTCOME_H_
