// StoreIndex: an index of the records of a store, so that queries need not scan
// all segments.
//
// The index is the SQLite database `index.sqlite` in the store's folder. It is
// a cache: the segments are authoritative. It records the size and modification
// time of each segment and rescans segments that have changed. If it is
// missing, corrupt or of another version, it is rebuilt; if it cannot be
// written, it is built in memory. Returned records are always read from the
// segments and verified against their checksums.
#ifndef ASSAY_REPORTS_STORE_INDEX_H_
#define ASSAY_REPORTS_STORE_INDEX_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/store/record_log.h"
#include "reports/store/sqlite.h"

namespace assay::reports {

// A conjunction of conditions; an empty field is no condition.
struct Query {
  std::string suite;
  std::string model;
  std::string device;
  std::string commit;  // a prefix
  // Bounds of the start time of the run: since <= start < until. The format is
  // `2024-05-01` or `2024-05-01T12:00:00Z`.
  std::string since;
  std::string until;
};

class StoreIndex {
 public:
  // Opens and updates the index. Returns NotFound if the folder does not exist.
  static absl::StatusOr<StoreIndex> Open(const std::string& folder);

  // Returns the matching records that hold a row, without duplicates, ordered
  // by the start of the run and then by completion.
  absl::StatusOr<std::vector<Record>> Find(const Query& query);

  // Returns the lines of the log that are not valid records.
  absl::StatusOr<std::vector<CorruptRecord>> CorruptRecords();

 private:
  StoreIndex(std::string folder, Database database)
      : folder_(std::move(folder)), database_(std::move(database)) {}

  static absl::StatusOr<StoreIndex> OpenFile(const std::string& folder,
                                             const std::string& path);
  absl::Status Prepare();
  absl::Status Update();
  absl::Status Forget(const std::string& segment);
  absl::Status Add(const std::string& segment, int64_t size, int64_t changed);
  absl::StatusOr<std::vector<Record>> TryFind(const Query& query);

  std::string folder_;
  Database database_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_INDEX_H_
