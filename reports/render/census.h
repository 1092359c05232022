// Census: how much of a run's matrix was judged, and why the rest was not.
#ifndef ASSAY_REPORTS_RENDER_CENSUS_H_
#define ASSAY_REPORTS_RENDER_CENSUS_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

// Cells that stats::IsJudgement says were.
int64_t CountJudged(const RunResult& result);

// `3 of 5 cells judged: 1 regressed, 2 equivalent; not judged: 2 no_baseline`,
// the gravest first.
std::string Census(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_CENSUS_H_
