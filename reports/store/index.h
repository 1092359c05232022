// StoreIndex: which record of a store is where, so that a question does not
// take reading all of them.
//
// The index is the file `index.sqlite` in the store's folder, and never the
// truth: for each segment it remembers size and time of change, and reads again
// what differs; if it is missing, damaged or of another version it is made
// anew; where it cannot be written it is made in memory. What is returned was
// read from the segments and agrees with its checksum.
#ifndef ASSAY_REPORTS_STORE_INDEX_H_
#define ASSAY_REPORTS_STORE_INDEX_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/store/record_log.h"
#include "reports/store/sqlite.h"

namespace assay::reports {

// What is empty is not asked for.
struct Question {
  std::string suite;
  std::string model;
  std::string device;
  std::string commit;  // or how it begins
  // `2024-05-01` or `2024-05-01T12:00:00Z`: of the start of the run, from the
  // one on, and before the other.
  std::string since;
  std::string until;
};

class StoreIndex {
 public:
  // Brings it up to date. NotFound if there is no such folder.
  static absl::StatusOr<StoreIndex> Open(const std::string& folder);

  // Records that hold a row, each once, by the start of the run and, within
  // it, in the order finished.
  absl::StatusOr<std::vector<Record>> Find(const Question& question);

  // Lines of the log that could not be read.
  absl::StatusOr<std::vector<Damage>> Damages();

 private:
  StoreIndex(std::string folder, Database database)
      : folder_(std::move(folder)), database_(std::move(database)) {}

  static absl::StatusOr<StoreIndex> OpenFile(const std::string& folder,
                                             const std::string& path);
  absl::Status Prepare();
  absl::Status Update();
  absl::Status Forget(const std::string& segment);
  absl::Status Add(const std::string& segment, int64_t size, int64_t changed);
  absl::StatusOr<std::vector<Record>> TryFind(const Question& question);

  std::string folder_;
  Database database_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_INDEX_H_
