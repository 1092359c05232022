// Formats records as text, one per line: as a table, as CSV (the columns of the
// run, then those of results.csv), or as JSON (an array of the objects that the
// store contains; see record.h).
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
