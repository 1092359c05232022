// SeriesOf: the number under which a PostgreSQL store keeps the records of one
// cell on one machine. Together they are a series over time.
//
// The number is a part of the SHA-256 of both names, so writers need not agree
// on it first. 10,000 series collide with a probability of 3e-12; queries
// compare only the number.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_SERIES_H_
#define ASSAY_REPORTS_STORE_POSTGRES_SERIES_H_

#include <cstdint>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/sha256.h"

namespace assay::reports {

// `cell` is a name (reports/store/cell_name.h), and `machine` a
// Row::fingerprint.
inline int64_t SeriesOf(const std::string& cell, const std::string& machine) {
  uint64_t number = 0;
  (void)absl::SimpleHexAtoi(
      Sha256Hex(absl::StrCat(cell, "\n", machine)).substr(0, 16), &number);
  return static_cast<int64_t>(number);
}

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_SERIES_H_
