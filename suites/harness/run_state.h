// RunState: the state that all models of a run share, and the state of a cell
// of the matrix while it is measured.
#ifndef ASSAY_SUITES_HARNESS_RUN_STATE_H_
#define ASSAY_SUITES_HARNESS_RUN_STATE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "devices/device.pb.h"
#include "reports/result/run_result.h"
#include "reports/store/run_log.h"
#include "runtime/artifact/artifact.h"
#include "runtime/measure/session.h"
#include "suites/correctness/checked_session.h"
#include "suites/harness/services.h"

namespace assay::suites {

// A device of the matrix.
struct DevicePlan {
  std::string flag;  // value of --device
  devices::Device device;
  std::unique_ptr<runtime::Runner> runner;
  std::vector<int> threads;
};

// A row and what is needed to measure it.
struct Cell {
  std::string name;  // in the log
  reports::Row row;
  // Null if the model could not be compiled.
  const runtime::Artifact* artifact = nullptr;
  // Null if there is nothing to measure; then the row says why.
  std::unique_ptr<CheckedSession> session;
};

struct RunState {
  // The device of the matrix that is not emulated; if all are, the first one.
  reports::Environment environment;
  // Rows of --against.
  reports::RunResult against;
  // Rows of --resume; null without --store.
  std::unique_ptr<reports::RunLog> log;
  // Number of rows of the whole run.
  int64_t cells = 0;
  // If true, the dumps of each model have a folder of its name.
  bool several_models = false;
  // Result of the canary, after the first row was compared side by side.
  std::optional<reports::Canary> canary;
  // Unused part of the comparison budgets of the rows so far.
  double budget_left_s = 0;
  // Lines printed below the table.
  std::string remarks;
};

// Returns the folder for the dumps of one compilation within `folder`; empty if
// that is empty. All numbers of threads share a folder, so the last dump stays.
std::string DumpFolder(const std::string& folder, const RunState& state,
                       const reports::CellKey& cell);

// Returns the folder of the artifacts that a run with `results_folder` keeps.
std::string ArtifactFolder(const std::string& results_folder);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUN_STATE_H_
