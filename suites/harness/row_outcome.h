// Outcomes of rows that have no times, and labels of rows in remarks.
#ifndef ASSAY_SUITES_HARNESS_ROW_OUTCOME_H_
#define ASSAY_SUITES_HARNESS_ROW_OUTCOME_H_

#include <string>

#include "absl/status/status.h"
#include "reports/result/run_result.h"

namespace assay::suites {

// Returns for example `resnet18 on host, fusion on, 2 threads: `.
std::string Label(const reports::Row& row);

// Sets the verdict `infrastructure` for this error and removes the samples.
void Fail(const absl::Status& status, reports::Row* row);

// Sets the verdict `wrong_output` and removes the samples, which are worthless.
void MarkWrongOutput(const std::string& reason, reports::Row* row);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_ROW_OUTCOME_H_
