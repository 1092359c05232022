// ResultsTable: a RunResult for a person at a terminal. One line per row under
//
//   model device fusion threads mean(ms) std(ms) median p99 speedup GFLOP/s
//   kernels max|err| compile(s) arena(MB) baseline delta verdict
//
// in aligned columns, `-` where there is no value; below it, notes: what the
// error was held to, what the speed-up, the arena's and the delta's brackets
// and the emulated mark mean, and, for each row whose verdict asks for an
// explanation, the reason and the command that measures it again. Plain text,
// lines end in `\n`.
#ifndef ASSAY_REPORTS_RENDER_TABLE_H_
#define ASSAY_REPORTS_RENDER_TABLE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

std::string ResultsTable(const RunResult& result);

// The titles and cells of a row's line, for other tables.
using TableCells = std::vector<std::pair<absl::string_view, std::string>>;
TableCells CellsOf(const Row& row);

// Whether the verdict alone does not say enough.
bool NeedsExplanation(const Row& row);

// The kernel calls of a row, longest first, with the nodes they came from, and
// what of the whole inference is left. Empty if they were not timed; kernels
// from many nodes name some.
//
//   ms %time sum% GFLOP/s GB/s kernel kind from
std::string OperatorTable(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_TABLE_H_
