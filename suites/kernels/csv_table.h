// ReadCsvTable: tables of shapes, which are data and not code.
//
// The first line names the columns; `#` begins a comment line. Fields hold no
// commas. Small tables for people to edit, not an exchange format.
#ifndef ASSAY_SUITES_KERNELS_CSV_TABLE_H_
#define ASSAY_SUITES_KERNELS_CSV_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::suites {

struct CsvRow {
  int line = 0;  // of the file, from 1
  std::vector<std::string> fields;
};

// The rows of `text`, whose columns must be `columns` in that order. The error
// is `<path>:<line>: …`.
absl::StatusOr<std::vector<CsvRow>> ReadCsvTable(
    absl::string_view path, absl::string_view text,
    absl::Span<const std::string> columns);

// The fields from `first` on, each a whole number of at least `least`.
absl::StatusOr<std::vector<int64_t>> WholeNumbers(absl::string_view path,
                                                  const CsvRow& row,
                                                  size_t first, int64_t least);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_CSV_TABLE_H_
