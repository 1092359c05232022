#include "reports/store/postgres/testing/compare_stores.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "reports/store/checked_line.h"
#include "reports/store/postgres/connection.h"
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
  ASSAY_ASSIGN_OR_RETURN(
      const Rows bytes,
      store->connection()->Run(
          "SELECT sum(length(record)), pg_total_relation_size('records') "
          "FROM records"));
  difference.text_bytes = bytes.Number(0, 0);
  difference.database_bytes = bytes.Number(0, 1);
  return difference;
}

std::string Describe(const StoreDifference& d) {
  return absl::StrCat(d.written, " records written, ", d.in_database,
                      " in the database: ", d.lost, " lost, ", d.twice,
                      " twice; ", d.corrupt, " corrupt lines in folders\n",
                      d.text_bytes / std::max<int64_t>(d.in_database, 1),
                      " bytes per record, ",
                      d.database_bytes / std::max<int64_t>(d.in_database, 1),
                      " in the database with its indices\n");
}

}  // namespace assay::reports
