#include "reports/store/postgres/testing/compare_stores.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "reports/store/checked_line.h"
#include "reports/store/record.h"
#include "reports/store/record_log.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {

absl::StatusOr<StoreDifference> CompareStores(
    const std::vector<std::string>& folders, SharedStore* store) {
  StoreDifference difference;
  std::set<std::string> written;
  for (const std::string& folder : folders) {
    ASSAY_ASSIGN_OR_RETURN(const LogContents log, ReadLog(folder));
    for (const Entry& entry : log.entries) written.insert(entry.id);
    difference.corrupt += static_cast<int64_t>(log.corrupt_records.size());
  }
  // All() verifies that each record has its id.
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Record> records, store->All());
  std::set<std::string> found;
  for (const Record& record : records) {
    if (!found.insert(std::string(IdOf(FormatRecord(record)))).second) {
      ++difference.twice;
    }
  }
  for (const std::string& id : written) {
    if (found.count(id) == 0) ++difference.lost;
  }
  difference.written = static_cast<int64_t>(written.size());
  difference.in_database = static_cast<int64_t>(records.size());
  return difference;
}

std::string Describe(const StoreDifference& d) {
  return absl::StrCat(d.written, " records written, ", d.in_database,
                      " in the database: ", d.lost, " lost, ", d.twice,
                      " twice; ", d.corrupt, " corrupt lines in folders\n");
}

}  // namespace assay::reports
