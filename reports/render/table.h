// ResultsTable: renders a RunResult as plain text for a terminal. The text
// starts with a table that has one line per row and these aligned columns:
//
//   model device fusion threads mean(ms) std(ms) median p90 p99 speedup
//   GFLOP/s kernels max|err| compile(s) size(MB) load(ms) arena(MB) baseline
//   delta verdict
//
// If not all rows have the same board, `board` follows `device`. If rows are
// tuned, `tuning` follows `fusion`, and if they are compared with untuned rows,
// `vs untuned` follows `speedup`. If the peak of the memory is known,
// `peak(MB)` follows `arena(MB)`. A missing value is shown as `-`. Below the
// table, the text contains
//   - the census of the cells (census.h);
//   - notes that explain the columns max|err|, p90, p99, speedup, vs untuned,
//     GFLOP/s, size, load, arena, peak and delta, and the mark of emulated
//     rows;
//   - the reasons why times that are marked with `*` are doubtful;
//   - the results of the canary comparisons, if there are any (Canary in
//     result/run_result.h);
//   - for each row whose verdict needs an explanation, the reason of the
//     verdict and the command that measures the row again.
// Lines end in `\n`.
#ifndef ASSAY_REPORTS_RENDER_TABLE_H_
#define ASSAY_REPORTS_RENDER_TABLE_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

std::string ResultsTable(const RunResult& result);

// Pairs of the title of a column and the text of the cell.
using TableCells = std::vector<std::pair<std::string, std::string>>;
// Returns the cells of a row, for use in other tables. All rows have the same
// columns in the same order.
TableCells CellsOf(const Row& row);

// Returns one line for each reason why times that are marked with `*` are
// doubtful.
std::string DisturbanceNotes(const RunResult& result);

// Returns true if the rows differ in their boards.
bool HasSeveralBoards(const RunResult& result);

// Returns the titles of the optional columns that none of the rows needs: `vs
// untuned`, `peak(MB)`, and each dimension (result/variant.h) that omits its
// default value from names and has this value in all rows. `board` is not
// included.
std::set<absl::string_view> UnusedColumns(const RunResult& result);

// Returns true unless the verdict is pass, equivalent, no_baseline or emulated
// and the tail has not become slower.
bool NeedsExplanation(const Row& row);

// Returns a table of the kernel calls of a row in decreasing order of time, or
// an empty string if kernels were not timed. The columns are
//
//   ms %time sum% GFLOP/s GB/s kernel <- nodes
//
// The kernel computes nodes of the source model; the column `nodes` lists the
// first few of them. The last lines show the sum of the times of all kernels,
// the time of a whole inference, and the difference between the two.
std::string OperatorTable(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_TABLE_H_
