// Census: counts the cells of a run by verdict. A cell is judged if its verdict
// is a judgement of the program (stats::IsJudgement). Other verdicts state why
// the cell was not judged.
#ifndef ASSAY_REPORTS_RENDER_CENSUS_H_
#define ASSAY_REPORTS_RENDER_CENSUS_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

// Returns the number of judged cells.
int64_t CountJudged(const RunResult& result);

// Returns the counts as text, for example
// `3 of 5 cells judged: 1 regressed, 2 equivalent; not judged: 2 no_baseline`.
// Within each of the two lists, more severe verdicts come first.
std::string Census(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_CENSUS_H_
