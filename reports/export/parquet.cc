#include "reports/export/parquet.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "reports/result/row_fields.h"
#include "reports/store/cell_name.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kTable[] = "records";

RowFields ColumnsOf(const Record& record) {
  const Row& row = record.result.rows[0];
  RowFields columns = {{"run", record.run},
                       {"started_at", record.result.started_at},
                       {"source_commit", record.result.commit},
                       {"place", absl::StrCat(record.place)},
                       {"cell", CellNameOf(row)}};
  for (auto& field : FieldsOf(row)) columns.push_back(std::move(field));
  columns.emplace_back(
      "samples_ns",
      absl::StrCat("[",
                   absl::StrJoin(row.timing.samples_ns, ",",
                                 [](std::string* out, double sample) {
                                   absl::StrAppendFormat(out, "%.17g", sample);
                                 }),
                   "]"));
  return columns;
}

bool IsDouble(absl::string_view name) {
  for (const char* text :
       {"delta", "threshold", "gflops", "paired_change", "paired_detectable",
        "max_abs_error", "max_abs_error_bound"}) {
    if (name == text) return true;
  }
  return absl::EndsWith(name, "_ms") || absl::EndsWith(name, "_lower") ||
         absl::EndsWith(name, "_upper") || absl::StartsWith(name, "speedup_");
}

bool IsInteger(absl::string_view name) {
  for (const char* text :
       {"place", "threads", "samples", "flops", "kernels", "paired_samples"}) {
    if (name == text) return true;
  }
  return absl::EndsWith(name, "_bytes");
}

// Returns the expression of a column of the file; in the table, it is a text.
std::string ExpressionOf(absl::string_view name) {
  const std::string column = SqlName(name);
  std::string value = column;
  if (name == "emulated") {
    value = absl::StrCat(column, " = 'yes'");
  } else if (name == "samples_ns") {
    value = absl::StrCat("CAST(", column, " AS DOUBLE[])");
  } else if (IsDouble(name) || IsInteger(name)) {
    value = absl::StrCat("CAST(nullif(", column, ", '') AS ",
                         IsDouble(name) ? "DOUBLE)" : "BIGINT)");
  }
  return absl::StrCat(value, " AS ", column);
}

}  // namespace

absl::Status WriteParquet(const std::vector<Record>& records,
                          const std::string& path, Duckdb* duckdb) {
  // A record that shows the columns.
  Record any;
  any.result.rows.resize(1);
  std::vector<std::string> columns;
  std::vector<std::string> expressions;
  for (const auto& [name, value] : ColumnsOf(any)) {
    columns.push_back(absl::StrCat(SqlName(name), " VARCHAR"));
    expressions.push_back(ExpressionOf(name));
  }
  ASSAY_RETURN_IF_ERROR(
      duckdb->Run(absl::StrCat("CREATE OR REPLACE TABLE ", kTable, " (",
                               absl::StrJoin(columns, ", "), ")")));
  std::vector<Duckdb::TextRow> rows;
  for (const Record& record : records) {
    Duckdb::TextRow& row = rows.emplace_back();
    for (auto& [name, value] : ColumnsOf(record)) row.emplace_back(value);
  }
  ASSAY_RETURN_IF_ERROR(duckdb->Append(kTable, rows));
  const std::string part = absl::StrCat(path, ".part-", getpid());
  absl::Status status = duckdb->Run(
      absl::StrCat("COPY (SELECT ", absl::StrJoin(expressions, ", "), " FROM ",
                   kTable, " ORDER BY rowid) TO ", SqlText(part),
                   " (FORMAT parquet, COMPRESSION zstd)"));
  if (status.ok() && std::rename(part.c_str(), path.c_str()) != 0) {
    status = ErrnoError("write", path);
  }
  if (!status.ok()) unlink(part.c_str());
  return status;
}

}  // namespace assay::reports
