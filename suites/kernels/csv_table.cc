#include "suites/kernels/csv_table.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace assay::suites {
namespace {

absl::Status ErrorAt(absl::string_view path, int line,
                     absl::string_view problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", path, ":", line, "`: ", problem));
}

}  // namespace

absl::StatusOr<std::vector<CsvRow>> ReadCsvTable(
    absl::string_view path, absl::string_view text,
    absl::Span<const std::string> columns) {
  std::vector<CsvRow> rows;
  bool has_header = false;
  int line = 0;
  for (const absl::string_view raw : absl::StrSplit(text, '\n')) {
    ++line;
    const absl::string_view content = absl::StripAsciiWhitespace(raw);
    if (content.empty() || content.front() == '#') continue;
    CsvRow row;
    row.line = line;
    for (const absl::string_view field : absl::StrSplit(content, ',')) {
      row.fields.emplace_back(absl::StripAsciiWhitespace(field));
    }
    if (!has_header) {
      if (row.fields !=
          std::vector<std::string>(columns.begin(), columns.end())) {
        return ErrorAt(path, line,
                       absl::StrCat("the columns must be `",
                                    absl::StrJoin(columns, ","), "`"));
      }
      has_header = true;
      continue;
    }
    if (row.fields.size() != columns.size()) {
      return ErrorAt(path, line,
                     absl::StrCat("there are ", row.fields.size(),
                                  " fields for ", columns.size(), " columns"));
    }
    rows.push_back(std::move(row));
  }
  if (!has_header) return ErrorAt(path, line, "the table is empty");
  return rows;
}

absl::StatusOr<std::vector<int64_t>> WholeNumbers(absl::string_view path,
                                                  const CsvRow& row,
                                                  size_t first, int64_t least) {
  std::vector<int64_t> numbers;
  for (size_t i = first; i < row.fields.size(); ++i) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(row.fields[i], &number) || number < least) {
      return ErrorAt(
          path, row.line,
          absl::StrCat("`", row.fields[i],
                       "` must be a whole number of at least ", least));
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace assay::suites
