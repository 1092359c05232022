#include "reports/store/listing.h"

#include <algorithm>
#include <array>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "reports/render/csv_field.h"
#include "reports/result/row_fields.h"
#include "reports/stats/verdict.h"

namespace assay::reports {
namespace {

constexpr std::array<const char*, 12> kTitles = {
    "started_at", "commit",  "suite",   "model",      "device", "fusion",
    "tuning",     "threads", "samples", "median(ms)", "std",    "verdict"};
// The columns from kFirstNumber to kLastNumber are right-aligned.
constexpr size_t kFirstNumber = 7;
constexpr size_t kLastNumber = 10;

using Cells = std::array<std::string, kTitles.size()>;

Cells CellsOf(const Record& record) {
  const Row& row = record.result.rows[0];
  const std::optional<stats::Summary> timing = LatencySummary(row);
  const auto ms = [&](double stats::Summary::* member) {
    return timing.has_value() ? absl::StrFormat("%.3f", (*timing).*member)
                              : std::string("-");
  };
  const std::string& commit = record.result.commit;
  return {record.result.started_at,
          commit.empty() ? "-" : commit.substr(0, 10),
          row.suite,
          row.cell.model,
          row.cell.device,
          FusionName(row.cell.variant),
          TuningName(row.cell.variant),
          absl::StrCat(row.cell.threads),
          absl::StrCat(row.timing.samples_ns.size()),
          ms(&stats::Summary::median),
          ms(&stats::Summary::std),
          std::string(stats::VerdictName(row.verdict))};
}

}  // namespace

std::string ListingTable(const std::vector<Record>& records) {
  std::vector<Cells> lines(1);
  std::copy(kTitles.begin(), kTitles.end(), lines[0].begin());
  for (const Record& record : records) lines.push_back(CellsOf(record));
  std::array<int, kTitles.size()> width = {};
  for (const Cells& cells : lines) {
    for (size_t i = 0; i < cells.size(); ++i) {
      width[i] = std::max(width[i], static_cast<int>(cells[i].size()));
    }
  }
  std::string text;
  for (const Cells& cells : lines) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) {
      const bool number = i >= kFirstNumber && i <= kLastNumber;
      absl::StrAppendFormat(&line, "%s%*s", i == 0 ? "" : "  ",
                            number ? width[i] : -width[i], cells[i]);
    }
    absl::StrAppend(&text, absl::StripTrailingAsciiWhitespace(line), "\n");
  }
  return text;
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
