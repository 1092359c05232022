// CompareStores: compares the records of folders with those of a PostgreSQL
// store, to which all folders should have been pushed.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_TESTING_COMPARE_STORES_H_
#define ASSAY_REPORTS_STORE_POSTGRES_TESTING_COMPARE_STORES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/store/postgres/shared_store.h"

namespace assay::reports {

struct StoreDifference {
  int64_t written = 0;         // different records in the folders
  int64_t in_database = 0;     // rows
  int64_t lost = 0;            // records that are not in the database
  int64_t twice = 0;           // rows that are not needed
  int64_t corrupt = 0;         // lines of the folders that are not records
  int64_t text_bytes = 0;      // of the records in the database
  int64_t database_bytes = 0;  // that they take there, with their indices
};

// Reads and verifies all records.
absl::StatusOr<StoreDifference> CompareStores(
    const std::vector<std::string>& folders, SharedStore* store);

// Returns two lines.
std::string Describe(const StoreDifference& difference);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_TESTING_COMPARE_STORES_H_
