// Census: counts of the judged cells of a run, and why the others were not
// judged.
#ifndef ASSAY_REPORTS_RENDER_CENSUS_H_
#define ASSAY_REPORTS_RENDER_CENSUS_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

// Number of cells whose verdict is a judgement (stats::IsJudgement).
int64_t CountJudged(const RunResult& result);

// `3 of 5 cells judged: 1 regressed, 2 equivalent; not judged: 2 no_baseline`,
// most severe first.
std::string Census(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_CENSUS_H_
