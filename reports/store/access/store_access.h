// FindRecords, ReadStore and so on: use a store, whether the flag --store names
// a folder or a PostgreSQL database (`postgres://USER@HOST/DATABASE`). A
// relative folder is relative to CallersFolder() (runtime/base/file.h).
#ifndef ASSAY_REPORTS_STORE_ACCESS_STORE_ACCESS_H_
#define ASSAY_REPORTS_STORE_ACCESS_STORE_ACCESS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/store/acknowledgement.h"
#include "reports/store/acknowledgement_log.h"
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
absl::StatusOr<FoundRecords> FindRecords(const std::string& store,
                                         const Query& query);

// Returns all runs, as ReadHistory() does.
absl::StatusOr<History> ReadStore(const std::string& store);

// Returns the acknowledgements, ordered by the time at which they were made.
absl::StatusOr<AcknowledgementLog> FindAcknowledgements(
    const std::string& store);

// Returns the latest level of each cell on each machine that was timed.
absl::StatusOr<std::vector<Level>> LatestLevels(const std::string& store);

// Adds an acknowledgement. If the store is a database that cannot be reached,
// returns Unavailable, and the acknowledgement is in the folder that the
// message names (reports/store/postgres/publisher.h).
absl::Status AddAcknowledgement(const std::string& store,
                                const Acknowledgement& acknowledgement);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_ACCESS_STORE_ACCESS_H_
