// ResultsTable: a RunResult for a person at a terminal. One line per row under
//
//   model device fusion threads mean(ms) std(ms) median p99 GFLOP/s kernels
//   max|err| baseline delta verdict
//
// in aligned columns, `-` where there is no value; below it, notes: what the
// error was held to, what the delta's bracket and the emulated mark mean, and,
// for each row whose verdict asks for an explanation, the reason and the
// command that measures it again. Plain text, lines end in `\n`.
#ifndef ASSAY_REPORTS_RENDER_TABLE_H_
#define ASSAY_REPORTS_RENDER_TABLE_H_

#include <string>

#include "reports/render/run_result.h"

namespace assay::reports {

std::string ResultsTable(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_TABLE_H_
