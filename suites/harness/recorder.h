// Recorder: collects what a run has measured, in the order of the rows,
// whatever the order in which jobs are finished.
//
// When a row is complete, it is appended to --store, and the files of --out are
// written again with all rows so far. A run that is ended later, by Ctrl-C for
// example, thus loses no complete row. The names in a row are recorded in
// printable characters (reports/result/plain_row.h).
//
// Thread-safe, except result(), notes() and wrote_outputs(). Files are written
// while the mutex is held, because they contain what all threads have measured.
#ifndef ASSAY_SUITES_HARNESS_RECORDER_H_
#define ASSAY_SUITES_HARNESS_RECORDER_H_

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "reports/result/run_result.h"
#include "reports/store/postgres/publisher.h"
#include "reports/store/run_log.h"
#include "suites/harness/cell.h"
#include "suites/harness/flags/output_flags.h"
#include "suites/harness/job_list.h"
#include "suites/harness/judge.h"

namespace assay::suites {

// Identifies a run in reports.
struct RunIdentity {
  // Digest of the executable that compiles and measures.
  std::string program_digest;
  // UTC time, for example `2024-05-01T12:00:00Z`.
  std::string started_at;
  // Commit of the source; empty if unknown.
  std::string commit;
  // Digest of the program, the suite and all flags except --resume. A run can
  // resume an earlier run only if `command` and the comparable part of the
  // environment (ComparableState()) are equal in both runs.
  std::string command;
};

// A cell that was measured.
struct MeasuredCell {
  std::string name;  // key of the row in the store
  reports::Row row;
  // Null if the model could not be compiled.
  std::shared_ptr<const runtime::Artifact> artifact;
  bool device_lost = false;  // Judgement::device_lost
};

// The results of a job that was run.
struct JobResult {
  std::vector<MeasuredCell> cells;
  JudgeStage::Session session;
};

class Recorder {
 public:
  // Artifacts are also kept in the folder `baseline_artifacts`, unless it is
  // empty.
  Recorder(const OutputOptions& options, RunIdentity identity,
           std::string baseline_artifacts)
      : options_(options),
        identity_(std::move(identity)),
        baseline_artifacts_(std::move(baseline_artifacts)) {}

  // Begins the run, and opens the store of --store. Must be called first.
  // `notes` are lines about the whole run.
  absl::Status Open(const reports::Environment& environment,
                    const std::string& notes);

  // Returns the row that an earlier process of this run recorded, if there is
  // one (RunLog::Find).
  std::optional<reports::Row> Find(const std::string& cell) const;

  // Writes the outputs of a cell to the file of --outputs, if the flag is
  // given, unless a cell that precedes it in the order of the rows has written
  // its outputs, or the program of this cell did not run. `label` names the
  // cell; `wrong` is true if its outputs are wrong.
  absl::Status WriteOutputs(const Job& job,
                            const runtime::NamedTensors& outputs,
                            const std::string& label, bool wrong);

  // Records the row of `result.cells[index]` as soon as it is complete, and the
  // trials of the canary so far. Other rows of the job may be incomplete.
  absl::Status KeepRow(const Job& job, size_t index, const JobResult& result);

  // Records the rest of a job that was measured: the rows that KeepRow() has
  // not recorded, the canary and the notes.
  absl::Status Keep(const Job& job, JobResult result);

  // Adds notes of a model, which precede those of its jobs.
  void KeepNotes(int model, const ReportNotes& notes);

  // Ends the run after all cells were measured. The run can then no longer be
  // resumed. `notes` are the last lines about the whole run.
  absl::Status Finish(absl::string_view notes);

  const reports::RunResult& result() const { return result_; }
  // Returns all lines that are printed below the table.
  std::string notes() const;
  bool wrote_outputs() const { return outputs_job_.has_value(); }

 private:
  // All require the mutex.
  absl::Status Record(const Job& job, size_t index, const JobResult& result);
  void KeepCanary(const Job& job, const reports::Canary& canary);
  absl::Status KeepArtifact(const MeasuredCell& cell) const;
  absl::Status WriteFiles();

  const OutputOptions& options_;
  const RunIdentity identity_;
  const std::string baseline_artifacts_;

  mutable absl::Mutex mutex_;
  reports::RunResult result_;
  // Job and index in the job of each row of result_, in ascending order.
  std::vector<std::pair<int, size_t>> places_;
  std::map<int, reports::Canary> canaries_;      // by job
  std::unique_ptr<reports::RunLog> log_;         // null without --store
  std::string store_folder_;                     // to which rows are appended
  std::optional<reports::Publisher> publisher_;  // if --store is a database
  std::string first_notes_, last_notes_;         // about the whole run
  // By model and job; -1 stands for the whole model.
  std::map<std::pair<int, int>, ReportNotes> notes_;
  std::optional<int> outputs_job_;  // the job that wrote --outputs
  std::string outputs_note_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RECORDER_H_
