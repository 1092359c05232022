// JUnit XML: a RunResult for continuous-integration servers. One test case per
// row, in the class `<suite>.<device>`; by its verdict it
//   passed        pass, equivalent, improved; emulated: the answer is right
//   failed        regressed, wrong_output
//   is an error   infrastructure
//   was skipped   inconclusive, environment_changed, no_baseline: nothing was
//                 concluded, which is not the same as passing
// with the reason as its message, the seconds of one inference as its time, all
// of row_fields.h as properties and the command that measures it again as its
// output.
//
// Bytes that XML cannot hold become U+FFFD.
#ifndef ASSAY_REPORTS_RENDER_JUNIT_H_
#define ASSAY_REPORTS_RENDER_JUNIT_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

std::string JUnitXml(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_JUNIT_H_
