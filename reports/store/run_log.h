// RunLog: the store as a run of a suite sees it. Each row is appended as it is
// finished; a run that was killed can be continued, and then finds what its
// earlier processes recorded.
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
#include "reports/render/run_result.h"
#include "reports/store/locked_file.h"
#include "reports/store/record_log.h"

namespace assay::reports {

class RunLog {
 public:
  // `job` is what makes two runs the same work: program, flags and machine.
  // `header` is what the records of this run share; its rows are not looked at.
  //
  // With `resume` the latest run of this job is continued: its start and its
  // commit are taken over. A new one is begun if there is none, if it is
  // finished, or if another process is at it.
  static absl::StatusOr<std::unique_ptr<RunLog>> Open(const std::string& folder,
                                                      const std::string& job,
                                                      const RunResult& header,
                                                      bool resume);

  // What an earlier process recorded, or null. Not so for rows whose device
  // failed: those are worth another try.
  const Row* Find(const std::string& cell) const;

  // `cell` names the row within the run's work; not empty. `canary` is what the
  // session's has shown so far. The row is on disk when this returns.
  absl::Status Append(const std::string& cell, const Row& row,
                      const std::optional<Canary>& canary = std::nullopt);

  // Says that nothing is to come, so that nobody continues the run.
  absl::Status Finish();

  // Of the run, which may be older than this process.
  const std::string& started_at() const { return header_.started_at; }
  // How many rows Find() knows.
  size_t recorded() const { return recorded_.size(); }
  // Of the log; they are nowhere but in the way.
  const std::vector<Damage>& damages() const { return damages_; }

 private:
  RunLog() = default;
  absl::Status Resume(const std::string& folder);

  std::unique_ptr<LogWriter> writer_;
  // The segments of earlier processes, so that no other continues the run too.
  std::vector<LockedFile> claimed_;
  std::string run_;
  std::string job_;
  RunResult header_;  // without rows
  std::map<std::string, Row> recorded_;
  std::vector<Damage> damages_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RUN_LOG_H_
