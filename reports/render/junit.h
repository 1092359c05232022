// JUnitXml: renders a RunResult as JUnit XML for continuous-integration
// servers. Each row is a test case of the class `<suite>.<device>`. The verdict
// of the row determines the outcome of the test case:
//   passed   pass, equivalent, improved, emulated
//   failed   regressed, wrong_output
//   error    infrastructure
//   skipped  inconclusive, environment_changed, no_baseline
//
// A test case has these parts:
//   message     the reason of the verdict; absent if the outcome is `passed`
//   time        the mean latency in seconds; 0 if nothing was timed
//   properties  the fields of the row (result/row_fields.h)
//   system-out  the command that measures the row again
//
// Bytes that are not UTF-8 and characters that are not valid in XML are
// replaced by U+FFFD.
#ifndef ASSAY_REPORTS_RENDER_JUNIT_H_
#define ASSAY_REPORTS_RENDER_JUNIT_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

std::string JUnitXml(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_JUNIT_H_
