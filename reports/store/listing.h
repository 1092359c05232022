// ListingOf: records as text, one a line: for people (table), for spreadsheets
// (csv: the columns of results.csv after those of the run), for programs (json:
// an array of objects `id`, `run`, `result`, of which the last is results.json
// with one row, samples and all).
#ifndef ASSAY_REPORTS_STORE_LISTING_H_
#define ASSAY_REPORTS_STORE_LISTING_H_

#include <string>
#include <vector>

#include "reports/store/record.h"

namespace assay::reports {

std::string ListingTable(const std::vector<Record>& records);
std::string ListingCsv(const std::vector<Record>& records);
std::string ListingJson(const std::vector<Record>& records);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_LISTING_H_
