// InjectionReport: the tables of tries and controls.
#ifndef ASSAY_SUITES_INJECTED_REPORT_H_
#define ASSAY_SUITES_INJECTED_REPORT_H_

#include <string>
#include <vector>

#include "suites/injected/injection.h"

namespace assay::suites {

// Returns a report as text:
//   - for each commit, method and budget, the number of injections;
//   - for each kind and number of threads, the rates of tries that were good
//     and that regressed, with 95 % bounds (Clopper and Pearson), how many were
//     attributed to the right node, the median of the measured changes, and the
//     median of |SumError()|;
//   - for each suite and number of threads, the rate of good controls, their
//     verdicts, and the largest change.
std::string InjectionReport(const std::vector<Injection>& injections);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_INJECTED_REPORT_H_
