#include "reports/render/markdown.h"

#include <algorithm>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "reports/render/census.h"
#include "reports/render/table.h"

namespace assay::reports {
namespace {

constexpr absl::string_view kBoard = "board";
constexpr absl::string_view kColumns[] = {
    "model",    "device",   kBoard,     "fusion",  "tuning",     "threads",
    "median",   "p99",      "baseline", "speedup", "vs untuned", "max|err|",
    "size(MB)", "load(ms)", "peak(MB)", "delta",   "verdict"};

// The columns of the table. Devices of a farm have boards.
std::vector<absl::string_view> ColumnsOf(const RunResult& result) {
  const bool any_board =
      std::any_of(result.rows.begin(), result.rows.end(),
                  [](const Row& row) { return !row.board.empty(); });
  std::set<absl::string_view> unused = UnusedColumns(result);
  if (!any_board) unused.insert(kBoard);
  std::vector<absl::string_view> columns;
  for (const absl::string_view column : kColumns) {
    if (unused.count(column) == 0) columns.push_back(column);
  }
  return columns;
}

// Escapes text for a table cell, which ends at a bar or a line break.
std::string InCell(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\\", "\\\\"},
                                    {"|", "\\|"},
                                    {"\n", " "},
                                    {"<", "&lt;"},
                                    {"*", "\\*"},
                                    {"`", "\\`"}});
}

std::string Line(const std::vector<std::string>& cells) {
  return absl::StrCat("| ", absl::StrJoin(cells, " | "), " |\n");
}

}  // namespace

std::string MarkdownSummary(const RunResult& result) {
  if (result.rows.empty()) return "**Nothing was measured.**\n";
  std::string text = absl::StrCat(
      "**", Census(result), "** on ", InCell(result.environment.fingerprint),
      ", ", InCell(result.started_at), ", times in ms\n\n");
  const std::vector<absl::string_view> columns = ColumnsOf(result);
  std::vector<std::string> titles, rules;
  for (const absl::string_view column : columns) {
    titles.push_back(InCell(column));
    rules.push_back("---");
  }
  absl::StrAppend(&text, Line(titles), Line(rules));
  std::string again;
  for (const Row& row : result.rows) {
    const TableCells cells = CellsOf(row);
    std::vector<std::string> shown;
    for (const absl::string_view column : columns) {
      const auto cell =
          std::find_if(cells.begin(), cells.end(),
                       [&](const auto& c) { return c.first == column; });
      shown.push_back(InCell(cell->second));
    }
    text += Line(shown);
    if (NeedsExplanation(row)) {
      absl::StrAppend(
          &again, "- ", InCell(row.cell.model), ": ",
          stats::VerdictName(row.verdict), row.reason.empty() ? "" : ": ",
          InCell(row.reason), "\n\n  ```sh\n  ",
          absl::StrReplaceAll(row.reproduce, {{"\n", " "}}), "\n  ```\n");
    }
  }
  for (const absl::string_view note :
       absl::StrSplit(DisturbanceNotes(result), '\n', absl::SkipEmpty())) {
    absl::StrAppend(&text, "\n", InCell(note), "\n");
  }
  if (!again.empty()) {
    absl::StrAppend(&text,
                    "\n<details><summary>Reasons and commands</summary>\n\n",
                    again, "\n</details>\n");
  }
  return text;
}

}  // namespace assay::reports
