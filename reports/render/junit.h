// JUnit XML: a RunResult for continuous-integration servers. One test case per
// row in the class `<suite>.<device>`, with an outcome by verdict:
//   passed        pass, equivalent, improved; emulated: the output is correct
//   failed        regressed, wrong_output
//   error         infrastructure
//   skipped       inconclusive, environment_changed, no_baseline: nothing was
//                 concluded, which is not the same as passing
// Its message is the reason, its time the mean inference in seconds, its
// properties are the fields of row_fields.h, and its output is the command that
// measures the row again.
//
// Bytes that are not valid in XML become U+FFFD.
#ifndef ASSAY_REPORTS_RENDER_JUNIT_H_
#define ASSAY_REPORTS_RENDER_JUNIT_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

std::string JUnitXml(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_JUNIT_H_
