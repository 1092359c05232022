// RunLog: records the rows of one run of a suite in the store. Each row is
// appended when it is complete. A killed run can be resumed by another process,
// which then skips the rows that earlier processes of the run have recorded.
//
//   log = RunLog::Open(folder, job, header, resume)
//   for each cell:
//     if log->Find(cell) is null: measure the row, log->Append(cell, row)
//   log->Finish()
#ifndef ASSAY_REPORTS_STORE_RUN_LOG_H_
#define ASSAY_REPORTS_STORE_RUN_LOG_H_

#include <cstddef>
#include <cstdint>
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
  // Starts or resumes a run in the store `folder`. `job` identifies the work:
  // the program, its flags and the machine. `header` is the common part of all
  // records of this run; the rows of `header` are ignored.
  //
  // Open() starts a new run if
  //   - `resume` is false,
  //   - the store has no run of this job,
  //   - the latest run of this job is finished, or
  //   - another process is executing the latest run of this job.
  // Otherwise Open() resumes the latest run of this job. The start time and the
  // commit of the resumed run then replace those of `header`.
  static absl::StatusOr<std::unique_ptr<RunLog>> Open(const std::string& folder,
                                                      const std::string& job,
                                                      const RunResult& header,
                                                      bool resume);

  // Returns the row that an earlier process of this run recorded for the cell,
  // or null. Rows with the verdict `infrastructure` are not returned, so their
  // cells are measured again.
  const Row* Find(const std::string& cell) const;

  // Appends a row durably. `cell` identifies the row within the job and must
  // not be empty. `canary` is the latest canary result of this process. `place`
  // is the place of the row among those of the run; rows with the same place
  // are in the order in which they were appended.
  absl::Status Append(const std::string& cell, const Row& row,
                      const Canary& canary = {}, int64_t place = 0);

  // Appends the final record. After this, the run can no longer be resumed.
  absl::Status Finish();

  // Returns the start time of the run. If the run was resumed, it is earlier
  // than the start time of this process.
  const std::string& started_at() const { return header_.started_at; }
  // Returns the number of rows that Find() can return.
  size_t recorded() const { return recorded_.size(); }
  // Returns the invalid lines of the log, which have no effect on this run.
  // Empty if `resume` was false.
  const std::vector<CorruptRecord>& corrupt_records() const {
    return corrupt_records_;
  }

 private:
  RunLog() = default;
  absl::Status Resume(const std::string& folder);

  std::unique_ptr<LogWriter> writer_;
  // Locks on the segments of earlier processes of this run. They prevent other
  // processes from resuming the run at the same time.
  std::vector<LockedFile> claimed_;
  std::string run_;
  std::string job_;
  RunResult header_;  // without rows
  std::map<std::string, Row> recorded_;
  std::vector<CorruptRecord> corrupt_records_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RUN_LOG_H_
