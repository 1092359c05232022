// RunState: the state that all models of a run share. Cell: the state of one
// cell of the matrix while it is measured.
#ifndef ASSAY_SUITES_HARNESS_RUN_STATE_H_
#define ASSAY_SUITES_HARNESS_RUN_STATE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "reports/result/run_result.h"
#include "reports/store/run_log.h"
#include "runtime/artifact/artifact.h"
#include "runtime/measure/session.h"
#include "suites/correctness/checked_session.h"
#include "suites/harness/services.h"

namespace assay::suites {

// A device of the matrix, and how programs run on it.
struct DevicePlan {
  std::string flag;  // value of --device
  devices::Device device;
  std::unique_ptr<runtime::Runner> runner;
  std::vector<int> threads;
};

// A row, and the objects that are needed to measure it.
struct Cell {
  std::string name;  // key of the row in RunState::log
  reports::Row row;
  // Null if the model could not be compiled.
  const runtime::Artifact* artifact = nullptr;
  // Null if nothing is measured because an error occurred, because the output
  // is wrong, or because `row` was taken from the log.
  std::unique_ptr<CheckedSession> session;
  // True if the device was lost while the cell was measured
  // (rpc/client/remote_runner.h). Nothing that was measured counts.
  bool device_lost = false;
  // Outputs of the program for the first example; empty if it did not run, and
  // after they were written to the file of --outputs.
  runtime::NamedTensors outputs;
};

struct RunState {
  // Environment of the first device that is not emulated. If all devices of the
  // matrix are emulated, this is the environment of the first device.
  reports::Environment environment;
  // Results of the run that --against specifies. Without --against, there are
  // no rows.
  reports::RunResult against;
  // The store to which rows are appended. With --resume, it also contains the
  // rows of earlier processes of this run. Null without --store.
  std::unique_ptr<reports::RunLog> log;
  // Number of cells of the matrix of all models, including the cells that
  // --cells excludes.
  int64_t cells = 0;
  // True if the run has several models. The dumps of each model are then in a
  // subfolder with the name of the model.
  bool several_models = false;
  // Trials of the canary so far, and the number of threads and the board of
  // each group of trials.
  reports::Canary canary;
  std::set<std::pair<int, std::string>> canary_runs;
  // Sum of the unused seconds of the side-by-side budgets (--budget) of the
  // finished rows.
  double budget_left_s = 0;
  // True if a cell has written the file of --outputs.
  bool wrote_outputs = false;
  // Lines printed below the table.
  std::string remarks;
};

// Calls Fail() for the row. An Aborted error means that the device was lost.
void FailCell(const absl::Status& status, Cell* cell);

// Returns the subfolder of `folder` for the dumps of one compilation; an empty
// string if `folder` is empty. Cells that differ only in the number of threads
// have the same subfolder, so the last compilation overwrites the other dumps.
std::string DumpFolder(const std::string& folder, const RunState& state,
                       const reports::CellKey& cell);

// Returns the folder in which a run with --out=`results_folder` and
// --keep_artifacts stores its artifacts.
std::string ArtifactFolder(const std::string& results_folder);

// Reads the results of a run with --out=`results_folder`. Returns
// InvalidArgument with the path if the file is malformed.
absl::StatusOr<reports::RunResult> ReadResults(
    const std::string& results_folder);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_STATE_H_
