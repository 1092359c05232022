// Markdown: a RunResult as a comment on a pull request: one sentence, a table
// of all rows with the cells of table.h, and in a collapsed section the
// commands that measure the failed rows again.
#ifndef ASSAY_REPORTS_RENDER_MARKDOWN_H_
#define ASSAY_REPORTS_RENDER_MARKDOWN_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

std::string MarkdownSummary(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_MARKDOWN_H_
