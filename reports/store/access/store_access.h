// FindRecords and ReadStore: read a store, whether the flag --store names a
// folder or a PostgreSQL database (`postgres://USER@HOST/DATABASE`).
#ifndef ASSAY_REPORTS_STORE_ACCESS_STORE_ACCESS_H_
#define ASSAY_REPORTS_STORE_ACCESS_STORE_ACCESS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/store/history.h"
#include "reports/store/index.h"
#include "reports/store/record_log.h"

namespace assay::reports {

struct FoundRecords {
  std::vector<Record> records;
  // Lines of the segments of a folder that are not valid records.
  std::vector<CorruptRecord> corrupt_records;
};

// Returns the records of completed rows that match, as StoreIndex::Find() does.
// A relative folder is relative to CallersFolder() (runtime/base/file.h).
absl::StatusOr<FoundRecords> FindRecords(const std::string& store,
                                         const Query& query);

// Returns all runs, as ReadHistory() does.
absl::StatusOr<History> ReadStore(const std::string& store);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_ACCESS_STORE_ACCESS_H_
