// RunLog: the store from the perspective of one run of a suite. Each row is
// appended when it is complete. A killed run can be resumed and then finds the
// rows that its earlier processes recorded.
//
//   RunLog::Open(folder, job, header, resume)
//   for each cell:  Find(cell), or else measure and Append(cell, row)
//   Finish()
#ifndef ASSAY_REPORTS_STORE_RUN_LOG_H_
#define ASSAY_REPORTS_STORE_RUN_LOG_H_

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "reports/store/locked_file.h"
#include "reports/store/record_log.h"

namespace assay::reports {

class RunLog {
 public:
  // `job` identifies the work: program, flags and machine. `header` is the
  // common part of all records of this run; its rows are ignored.
  //
  // With `resume`, the latest run of this job is continued and its start time
  // and commit are adopted. A new run is started if there is none, if it is
  // finished, or if another process is running it.
  static absl::StatusOr<std::unique_ptr<RunLog>> Open(const std::string& folder,
                                                      const std::string& job,
                                                      const RunResult& header,
                                                      bool resume);

  // Returns the row that an earlier process recorded, or null. Rows with an
  // infrastructure failure are not returned, so they are measured again.
  const Row* Find(const std::string& cell) const;

  // Appends a row durably. `cell` identifies the row within the job and must
  // not be empty. `canary` is the current canary result of the session.
  absl::Status Append(const std::string& cell, const Row& row,
                      const std::optional<Canary>& canary = std::nullopt);

  // Appends the final record; the run can no longer be resumed.
  absl::Status Finish();

  // Start time of the run, which may be earlier than that of this process.
  const std::string& started_at() const { return header_.started_at; }
  // Number of rows that Find() can return.
  size_t recorded() const { return recorded_.size(); }
  // Invalid lines of the log. They have no effect on this run.
  const std::vector<CorruptRecord>& corrupt_records() const {
    return corrupt_records_;
  }

 private:
  RunLog() = default;
  absl::Status Resume(const std::string& folder);

  std::unique_ptr<LogWriter> writer_;
  // Locks on the segments of earlier processes, so no other process can resume
  // the run as well.
  std::vector<LockedFile> claimed_;
  std::string run_;
  std::string job_;
  RunResult header_;  // without rows
  std::map<std::string, Row> recorded_;
  std::vector<CorruptRecord> corrupt_records_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RUN_LOG_H_
