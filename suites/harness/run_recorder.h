// RunRecorder: collects what a run has measured, in the order of the rows,
// whatever the order in which units are finished.
//
// When a row is complete, it is appended to --store, and the files of --out are
// written again with all rows so far. A run that is ended later, by Ctrl-C for
// example, thus loses no complete row. The names in a row are recorded in
// printable characters (reports/result/plain_row.h).
//
// Thread-safe, except result() and remarks(). Files are written while the mutex
// is held, because they contain what all threads have measured.
#ifndef ASSAY_SUITES_HARNESS_RUN_RECORDER_H_
#define ASSAY_SUITES_HARNESS_RUN_RECORDER_H_

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
#include "reports/store/run_log.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/run_services.h"
#include "suites/harness/run_state.h"
#include "suites/harness/work_list.h"

namespace assay::suites {

class RunRecorder {
 public:
  // Both arguments must outlive this object.
  RunRecorder(const Options& options, const Services& services)
      : options_(options), services_(services) {}

  // Begins the run, and opens the store of --store. Must be called first.
  absl::Status Open(const reports::Environment& environment);

  // Returns the row that an earlier process of this run recorded, if there is
  // one (RunLog::Find).
  std::optional<reports::Row> Find(const std::string& cell) const;

  // Writes the outputs of the cell to the file of --outputs, if the flag is
  // given, unless a cell before it has written its outputs or the program of
  // this cell did not run.
  absl::Status WriteOutputs(const Unit& unit, const Cell& cell);

  // Records the row of `attempt.cells[index]`, which is complete, and the
  // canary so far, before the other rows of the unit are complete.
  absl::Status KeepRow(const Unit& unit, size_t index, const Attempt& attempt);

  // Records the rest of a unit that was measured: the rows that KeepRow() has
  // not recorded, the canary and the remarks.
  absl::Status Keep(const Unit& unit, Attempt attempt);

  // Adds remarks of a model, which precede those of its units.
  void KeepRemarks(int model, const Remarks& remarks);
  // Adds lines about the whole run.
  void Remark(absl::string_view lines);

  // All cells were measured: the run cannot be resumed any more. `remarks` are
  // the last lines about the whole run.
  absl::Status Finish(absl::string_view remarks);

  const reports::RunResult& result() const { return result_; }
  // Returns all lines that are printed below the table.
  std::string remarks() const;
  bool wrote_outputs() const { return outputs_unit_.has_value(); }

 private:
  // All require the mutex.
  absl::Status Record(const Unit& unit, size_t index, const Attempt& attempt);
  void KeepCanary(const Unit& unit, const Attempt& attempt);
  absl::Status KeepArtifact(const Cell& cell) const;
  absl::Status WriteFiles();

  const Options& options_;
  const Services& services_;

  mutable absl::Mutex mutex_;
  reports::RunResult result_;
  // Unit and index in the unit of each row of result_, in ascending order.
  std::vector<std::pair<int, size_t>> places_;
  std::map<int, reports::Canary> canaries_;  // by unit
  std::unique_ptr<reports::RunLog> log_;     // null without --store
  std::string run_remarks_, last_remarks_;
  // By model and unit; -1 stands for the whole model.
  std::map<std::pair<int, int>, Remarks> remarks_;
  std::optional<int> outputs_unit_;  // that has written the outputs
  std::string outputs_remark_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_RECORDER_H_
