// MarkdownSummary: renders a RunResult as Markdown, for a comment on a pull
// request. The text consists of
//   - one line with the number of cells per verdict (Census), the fingerprint
//     of the machine, and the start time;
//   - a table with one line per row and the most important columns of table.h;
//   - a line for each reason why times that are marked with `*` are doubtful
//     (DisturbanceNotes in table.h);
//   - a collapsed section with the reason and the command of each row whose
//     verdict needs an explanation (NeedsExplanation in table.h).
#ifndef ASSAY_REPORTS_RENDER_MARKDOWN_H_
#define ASSAY_REPORTS_RENDER_MARKDOWN_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

std::string MarkdownSummary(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_MARKDOWN_H_
