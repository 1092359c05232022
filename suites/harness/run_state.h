// The state of a run of a suite:
//   - RunState: what all threads of the run share and none of them changes.
//   - Lane: a device that measures one unit of cells after the other
//     (work_list.h), and what is known about it.
//   - Attempt: what measuring a unit once has produced. If the device is lost
//     meanwhile, the attempt is discarded as a whole.
//   - Cell: one cell of the matrix while it is measured.
#ifndef ASSAY_SUITES_HARNESS_RUN_STATE_H_
#define ASSAY_SUITES_HARNESS_RUN_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact.h"
#include "runtime/measure/device_facts.h"
#include "runtime/measure/session.h"
#include "suites/correctness/checked_session.h"
#include "suites/harness/block_log.h"
#include "suites/harness/services.h"

namespace assay::suites {

// A device of the matrix, and how programs run on it.
struct DevicePlan {
  std::string flag;  // value of --device
  devices::Device device;
  std::unique_ptr<runtime::Runner> runner;
  // The facts of the runner at the start of the run. A device that was lost is
  // replaced only by one with the same fingerprint.
  runtime::DeviceFacts facts;
  // What the runner observes, if a tracker lends the device.
  std::shared_ptr<BlockLog> blocks;
  std::vector<int> threads;
  // The variants of each model, in the order of the rows.
  std::vector<reports::Variant> variants;

  // True if a tracker lends the device.
  bool leased() const { return !facts.board.empty(); }
};

// What is known about a device after it measured units.
struct LaneState {
  // The trials of the canary, by the number of threads and the board.
  std::map<std::pair<int, std::string>, reports::Canary> canaries;
  // Sum of the unused seconds of the side-by-side budgets (--budget) of the
  // finished rows.
  double budget_left_s = 0;
};

struct Lane {
  DevicePlan plan;
  LaneState state;
};

// Lines that are printed below the table.
struct Remarks {
  std::string lines;
  // Texts that concern many rows and are printed only once.
  std::set<std::string> once;
};

// A row, and the objects that are needed to measure it.
struct Cell {
  std::string name;  // key of the row in the store
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

struct Attempt {
  std::vector<Cell> cells;
  Remarks remarks;
  reports::Canary canary;  // the trials of this attempt
  // Replaces Lane::state if the attempt counts.
  LaneState lane;
};

struct RunState {
  // Environment of the first device that is not emulated. If all devices of the
  // matrix are emulated, this is the environment of the first device.
  reports::Environment environment;
  // Results of the run that --against specifies. Without --against, there are
  // no rows.
  reports::RunResult against;
  // Number of cells of the matrix of all models, including the cells that
  // --cells excludes.
  int64_t cells = 0;
  // True if the run has several models. The dumps of each model are then in a
  // subfolder with the name of the model.
  bool several_models = false;
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
