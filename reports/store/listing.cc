#include "reports/store/listing.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "reports/render/csv_field.h"
#include "reports/result/row_fields.h"
#include "reports/stats/verdict.h"
#include "runtime/text/text_table.h"

namespace assay::reports {
namespace {

using Column = runtime::TextTable::Column;

std::vector<Column> Columns() {
  std::vector<Column> columns = {
      {"started_at"}, {"commit"}, {"suite"}, {"model"}, {"device"}};
  for (const Dimension& dimension : kDimensions) {
    if (IsReported(dimension)) columns.push_back({dimension.name});
  }
  for (const char* title : {"threads", "samples", "median(ms)", "std"}) {
    columns.push_back({title, runtime::TextTable::kRight});
  }
  columns.push_back({"verdict"});
  return columns;
}

std::vector<std::string> CellsOf(const Record& record) {
  const Row& row = record.result.rows[0];
  const std::optional<stats::Summary> timing = LatencySummary(row);
  const auto ms = [&](double stats::Summary::* member) {
    return timing.has_value() ? absl::StrFormat("%.3f", (*timing).*member)
                              : std::string("-");
  };
  const std::string& commit = record.result.commit;
  std::vector<std::string> cells = {record.result.started_at,
                                    commit.empty() ? "-" : commit.substr(0, 10),
                                    row.suite, row.cell.model, row.cell.device};
  for (const Dimension& dimension : kDimensions) {
    if (IsReported(dimension)) {
      cells.emplace_back(dimension.NameOf(row.cell.variant));
    }
  }
  cells.push_back(absl::StrCat(row.cell.threads));
  cells.push_back(absl::StrCat(row.timing.samples_ns.size()));
  cells.push_back(ms(&stats::Summary::median));
  cells.push_back(ms(&stats::Summary::std));
  cells.emplace_back(stats::VerdictName(row.verdict));
  return cells;
}

}  // namespace

std::string ListingTable(const std::vector<Record>& records) {
  runtime::TextTable table(Columns());
  for (const Record& record : records) table.AddRow(CellsOf(record));
  return table.ToString();
}

std::string ListingCsv(const std::vector<Record>& records) {
  std::vector<std::string> titles = {"run", "started_at", "commit"};
  for (const auto& [name, value] : FieldsOf(Row())) titles.emplace_back(name);
  std::string csv = absl::StrCat(absl::StrJoin(titles, ","), "\n");
  for (const Record& record : records) {
    std::vector<std::string> fields = {CsvField(record.run),
                                       CsvField(record.result.started_at),
                                       CsvField(record.result.commit)};
    for (const auto& [name, value] : FieldsOf(record.result.rows[0])) {
      fields.push_back(CsvField(value));
    }
    absl::StrAppend(&csv, absl::StrJoin(fields, ","), "\n");
  }
  return csv;
}

std::string ListingJson(const std::vector<Record>& records) {
  std::vector<std::string> lines;
  for (const Record& record : records) {
    lines.emplace_back(absl::StripSuffix(FormatRecord(record), "\n"));
  }
  return absl::StrCat("[", lines.empty() ? "" : "\n",
                      absl::StrJoin(lines, ",\n"), "\n]\n");
}

}  // namespace assay::reports
