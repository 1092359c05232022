// The results of the stages through which each cell of a run goes. A cell is
// one combination of model, device, variant and number of threads.
//
//   stage    file              result
//   plan     plan.h            reports::CellKey
//   compile  compile.h         CompiledCell
//   check    check.h           CheckedCell
//   time     time.h            TimedCell
//   judge    judge.h           JudgedCell
//
// Each stage is a function of the results of the stages before it. A stage that
// fails ends the cell. model_run.h calls the stages, and row_builder.h makes
// the row of the report from their results.
#ifndef ASSAY_SUITES_HARNESS_CELL_H_
#define ASSAY_SUITES_HARNESS_CELL_H_

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/checked_session.h"

namespace assay::suites {

// Lines that are printed below the table.
struct ReportNotes {
  std::string lines;
  // Texts that concern many rows and are printed only once.
  std::set<std::string> once;
};

// Returns the label with which notes about a cell begin, for example
// `resnet18 on host, fusion on, 2 threads: `.
std::string LabelOf(const reports::CellKey& cell);

// The verdict on a cell. `reason` is one sentence that explains it; it may be
// empty.
struct Judgement {
  stats::Verdict verdict = stats::Verdict::kInfrastructure;
  std::string reason;
  // True if the device was lost while the cell was measured
  // (rpc/client/remote_runner.h). Nothing that was measured counts.
  bool device_lost = false;
};

// Returns true unless the verdict says that there are no valid times.
bool HasTimes(stats::Verdict verdict);

// Returns the verdict `infrastructure`. An Aborted error means that the device
// was lost.
Judgement Failure(const absl::Status& status);
Judgement WrongOutput(const std::string& problem);

struct CompiledCell {
  std::shared_ptr<const runtime::Artifact> artifact;
  reports::BuildFacts build;
  // This sentence says what the log of the tuner has changed. It is empty if
  // the cell is not tuned.
  std::string tuning_remark;
};

struct CheckedCell {
  reports::CellKey key;  // `threads` is the number in use
  std::string board;     // see reports::Row::board
  std::shared_ptr<const runtime::Artifact> artifact;
  // A session on which CheckedSession::Examine() was called. Null if the
  // outputs are wrong.
  std::unique_ptr<CheckedSession> session;
  std::string problem;  // why the outputs are wrong
  reports::Correctness correctness;
  // Outputs of the program for the first example; empty if it did not run.
  runtime::NamedTensors outputs;
  std::string remark;  // about the outputs
};

struct TimedCell {
  reports::Timing timing;
  reports::Comparison comparison;  // with other cells and with the reference
  std::optional<Judgement> failure;
};

struct JudgedCell {
  Judgement judgement;
  // TimedCell::comparison, with the results of this stage added.
  reports::Comparison comparison;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_CELL_H_
