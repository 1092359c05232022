// ReadCsvTable: reads small, hand-edited tables of shapes.
//
// The first line names the columns; `#` starts a comment line. Fields cannot
// contain commas, and there is no quoting.
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

// Returns the rows of `text`, whose columns must be `columns` in that order.
// Error messages start with `<path>:<line>:`.
absl::StatusOr<std::vector<CsvRow>> ReadCsvTable(
    absl::string_view path, absl::string_view text,
    absl::Span<const std::string> columns);

// Parses the fields from index `first` on as integers, each at least `least`.
absl::StatusOr<std::vector<int64_t>> WholeNumbers(absl::string_view path,
                                                  const CsvRow& row,
                                                  size_t first, int64_t least);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_CSV_TABLE_H_
