// ResultsTable: a RunResult as a table for a terminal. One line per row with
//
//   model device fusion threads mean(ms) std(ms) median p99 speedup GFLOP/s
//   kernels max|err| compile(s) arena(MB) baseline delta verdict
//
// in aligned columns, `-` for a missing value; below it, notes that explain the
// error bound, the speed-up, the brackets of arena and delta and the mark of
// emulated rows, and for each row whose verdict needs an explanation the reason
// and the command that measures it again. Plain text, lines end in `\n`.
#ifndef ASSAY_REPORTS_RENDER_TABLE_H_
#define ASSAY_REPORTS_RENDER_TABLE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

std::string ResultsTable(const RunResult& result);

// Column titles and cells of a row, for other tables.
using TableCells = std::vector<std::pair<absl::string_view, std::string>>;
TableCells CellsOf(const Row& row);

// Returns true if the verdict needs an explanation.
bool NeedsExplanation(const Row& row);

// The kernel calls of a row in decreasing order of time, with the nodes that
// they compute (for kernels of many nodes, some of them), and the part of the
// whole inference outside of kernels. Empty if kernels were not timed.
//
//   ms %time sum% GFLOP/s GB/s kernel kind from
std::string OperatorTable(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_TABLE_H_
