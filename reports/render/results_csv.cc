#include "reports/render/results_csv.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/render/csv_field.h"
#include "reports/result/row_fields.h"

namespace assay::reports {

std::string ResultsCsv(const RunResult& result) {
  // The header is the same for a report without rows.
  std::string csv =
      absl::StrCat(absl::StrJoin(FieldsOf(Row()), ",",
                                 [](std::string* out, const auto& column) {
                                   absl::StrAppend(out, column.first);
                                 }),
                   "\n");
  for (const Row& row : result.rows) {
    absl::StrAppend(&csv,
                    absl::StrJoin(FieldsOf(row), ",",
                                  [](std::string* out, const auto& column) {
                                    absl::StrAppend(out,
                                                    CsvField(column.second));
                                  }),
                    "\n");
  }
  return csv;
}

}  // namespace assay::reports
