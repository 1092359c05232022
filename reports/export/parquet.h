// WriteParquet: writes records as a Parquet file, for DuckDB, Spark, pandas and
// other programs that analyse many rows.
//
// The file has a row per record, in the order of the records, and the columns
//   run, started_at, source_commit   of the run (reports/store/record.h)
//   place                            of the row in its run
//   cell                             its name (reports/store/cell_name.h)
//   those of FieldsOf()              as in CSV (reports/result/row_fields.h)
//   samples_ns                       the samples, a list of doubles
//
// Counts and sizes are 64-bit integers, times and ratios are doubles,
// `emulated` is a boolean, and all others are texts. A missing number is null.
#ifndef ASSAY_REPORTS_EXPORT_PARQUET_H_
#define ASSAY_REPORTS_EXPORT_PARQUET_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "reports/export/duckdb.h"
#include "reports/store/record.h"

namespace assay::reports {

// Each record must have a row. The file is replaced when it is complete.
// All rows are in memory while it is written.
absl::Status WriteParquet(const std::vector<Record>& records,
                          const std::string& path, Duckdb* duckdb);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_EXPORT_PARQUET_H_
