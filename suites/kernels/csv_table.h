// ReadCsvTable: reads small, hand-edited tables of shapes.
//
// The first line contains the names of the columns. Empty lines and lines that
// start with `#` are ignored. Fields cannot contain commas; quoting is not
// supported.
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
  int line = 0;  // 1-based line number in the file
  std::vector<std::string> fields;
};

// Returns the rows of `text`, the content of a table. The columns of the table
// must be `columns`, in this order. Error messages start with `path` and the
// line number.
absl::StatusOr<std::vector<CsvRow>> ReadCsvTable(
    absl::string_view path, absl::string_view text,
    absl::Span<const std::string> columns);

// Parses the field with index `first` and all later fields as integers. Returns
// InvalidArgument if a field is not an integer or is less than `least`. `path`
// is used in error messages only.
absl::StatusOr<std::vector<int64_t>> WholeNumbers(absl::string_view path,
                                                  const CsvRow& row,
                                                  size_t first, int64_t least);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_CSV_TABLE_H_
