// ListingTable, ListingCsv and ListingJson: format records as text with one
// line per record. Each record must have a row.
#ifndef ASSAY_REPORTS_STORE_LISTING_H_
#define ASSAY_REPORTS_STORE_LISTING_H_

#include <string>
#include <vector>

#include "reports/store/record.h"

namespace assay::reports {

// Returns a table with aligned columns, for a terminal.
std::string ListingTable(const std::vector<Record>& records);
// Returns CSV with the columns `run`, `started_at` and `commit` and then the
// columns of ResultsCsv() (reports/render/results_csv.h).
std::string ListingCsv(const std::vector<Record>& records);
// Returns a JSON array. Each element is the JSON object of a record (record.h).
std::string ListingJson(const std::vector<Record>& records);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_LISTING_H_
