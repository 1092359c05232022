// Fail() and MarkWrongOutput() set the verdict of a row that has no valid
// times. Label() formats the label with which remarks about a row begin.
#ifndef ASSAY_SUITES_HARNESS_ROW_OUTCOME_H_
#define ASSAY_SUITES_HARNESS_ROW_OUTCOME_H_

#include <string>

#include "absl/status/status.h"
#include "reports/result/run_result.h"

namespace assay::suites {

// Returns the label of a row, for example
// `resnet18 on host, fusion on, 2 threads: `.
std::string Label(const reports::Row& row);

// Sets the verdict `infrastructure`, with the message of `status` as the
// reason, and removes the samples and the time of loading.
void Fail(const absl::Status& status, reports::Row* row);

// Sets the verdict `wrong_output` with `reason`, and removes the samples, the
// time of loading and the paired comparison.
void MarkWrongOutput(const std::string& reason, reports::Row* row);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_ROW_OUTCOME_H_
