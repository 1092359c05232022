// StoreIndex: an index of the records of a store. With the index, a query does
// not need to scan all segments (record_log.h).
//
// The index is the SQLite database `index.sqlite` in the folder of the store.
// It is a cache; the segments are authoritative. The index records the size and
// the modification time of each segment. Segments that have changed are scanned
// again. If the index is missing, corrupt or of another version, it is rebuilt.
// If the index cannot be written, it is built in memory. Records are always
// read from the segments and verified with their checksums.
#ifndef ASSAY_REPORTS_STORE_INDEX_H_
#define ASSAY_REPORTS_STORE_INDEX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/store/record_head.h"
#include "reports/store/record_log.h"
#include "runtime/sqlite/sqlite.h"

namespace assay::reports {

// A conjunction of conditions. An empty field is not a condition.
struct Query {
  std::string suite;
  std::string model;
  std::string device;
  std::string commit;  // a prefix of the commit
  // Bounds of the start time of the run: since <= start < until. The format of
  // a bound is `2024-05-01` or `2024-05-01T12:00:00Z`.
  std::string since;
  std::string until;
};

class StoreIndex {
 public:
  // Opens and updates the index. Returns NotFound if the folder does not exist.
  static absl::StatusOr<StoreIndex> Open(const std::string& folder);

  // Returns the matching records of completed rows. The final record of a run
  // contains no row and is never returned. A record that occurs several times
  // in the store is returned once. The records are ordered by the start time of
  // the run, then by the name of the run (Record::run), and then by the time at
  // which the row was completed.
  absl::StatusOr<std::vector<Record>> Find(const Query& query);

  // Returns the lines of the log that are not valid records. Of a record that
  // another version of this program wrote, only the head may have been read
  // (record_head.h); it is among these lines after Find() has found it.
  absl::StatusOr<std::vector<CorruptRecord>> CorruptRecords();

 private:
  StoreIndex(std::string folder, runtime::Database database)
      : folder_(std::move(folder)), database_(std::move(database)) {}

  struct IndexedLine {
    std::string segment;
    int64_t offset = 0;
    int64_t line = 0;  // 1-based
  };

  static absl::StatusOr<StoreIndex> OpenFile(const std::string& folder,
                                             const std::string& path);
  absl::Status Update();
  absl::Status Forget(const std::string& segment);
  absl::Status Add(const std::string& segment, int64_t size, int64_t changed);
  absl::Status AddRecord(const IndexedLine& at, absl::string_view bytes,
                         const RecordHead& head, runtime::Statement* add);
  absl::Status AddUnusual(const IndexedLine& at, absl::string_view line,
                          runtime::Statement* add);
  absl::Status AddCorrupt(const IndexedLine& at, int64_t bytes,
                          const std::string& reason);
  absl::Status MoveToCorrupt(const IndexedLine& at, int64_t bytes,
                             const std::string& reason);
  absl::StatusOr<std::vector<Record>> TryFind(const Query& query);

  std::string folder_;
  runtime::Database database_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_INDEX_H_
