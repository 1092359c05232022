// SharedStore: a store in a PostgreSQL database, for several machines.
//
// The segments that writers keep in their folders (reports/store/record_log.h)
// are authoritative. The database has a copy of each record that was pushed
// (push.h): its text, which is verified with its id when it is read, and
// columns to search by.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_SHARED_STORE_H_
#define ASSAY_REPORTS_STORE_POSTGRES_SHARED_STORE_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "reports/store/acknowledgement.h"
#include "reports/store/index.h"
#include "reports/store/postgres/connection.h"
#include "reports/store/postgres/push.h"
#include "reports/store/record.h"

namespace assay::reports {

// A record of a cell on a machine, as much of it as a curve needs.
struct HistoryPoint {
  std::string started_at;  // of the run
  std::string commit;
  std::optional<double> median_ms;  // nullopt if nothing was timed
  std::string verdict;
};

class SharedStore {
 public:
  // Connects, and creates the tables in an empty database. Errors are those of
  // Connection::Open() and PrepareSchema().
  static absl::StatusOr<SharedStore> Open(
      const std::string& address, absl::Duration timeout = absl::Seconds(5));

  // Adds the records and the acknowledgements of a folder that the database
  // does not have.
  absl::StatusOr<Pushed> Push(const std::string& folder);

  // Returns the same as StoreIndex::Find() for a folder with the same records.
  // Returns DataLoss, with the id, if a record does not match its checksum.
  absl::StatusOr<std::vector<Record>> Find(const Query& query);

  // Returns all records, also the final records of runs.
  absl::StatusOr<std::vector<Record>> All();

  // Returns the history of a cell (reports/store/cell_name.h) on the machine
  // with this fingerprint, ordered by time. Reads no record.
  absl::StatusOr<std::vector<HistoryPoint>> HistoryOf(
      const std::string& cell, const std::string& machine);

  // Returns the acknowledgements, ordered by the time at which they were made.
  absl::StatusOr<std::vector<Acknowledgement>> Acknowledgements();

  // Returns the latest level of each cell on each machine that was timed.
  absl::StatusOr<std::vector<Level>> LatestLevels();

  Connection* connection() { return &connection_; }

 private:
  explicit SharedStore(Connection connection)
      : connection_(std::move(connection)) {}

  Connection connection_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_SHARED_STORE_H_
