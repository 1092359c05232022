// FactorialText: explains on what the change of a model between two commits
// depends, from side-by-side comparisons of several cells of the model.
#ifndef ASSAY_REPORTS_FACTORIAL_EXPLAIN_H_
#define ASSAY_REPORTS_FACTORIAL_EXPLAIN_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

// Returns lines such as
//
//   resnet18 on host: +2.1 % [+1.9 %, +2.3 %] in the mean of 4 cells, only with
//   fusion on
//     fusion on instead of off: +4.1 % [+3.8 %, +4.5 %]
//
// for each model and device whose rows with a comparison are a complete design
// of at least one factor: a dimension of the variant, or the number of threads,
// with two values. A row whose artifact is the same in both commits has no
// change. The intervals have the level 99 %. Effects that are not
// significant have no line. Returns an empty string if there is no such model.
std::string FactorialText(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_FACTORIAL_EXPLAIN_H_
