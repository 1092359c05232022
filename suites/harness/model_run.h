// ModelRun: compiles, checks and measures the rows of one model (run.h).
//
// Several lanes may measure units of the model at the same time. Only one
// thread at a time loads or compiles a model or computes correct outputs,
// because this uses all processors and much memory of this machine, while the
// devices of the other lanes go on measuring.
#ifndef ASSAY_SUITES_HARNESS_MODEL_RUN_H_
#define ASSAY_SUITES_HARNESS_MODEL_RUN_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "reports/baseline/baseline.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/model_answers.h"
#include "suites/harness/row_judge.h"
#include "suites/harness/run_recorder.h"
#include "suites/harness/run_services.h"
#include "suites/harness/run_state.h"
#include "suites/harness/work_list.h"

namespace assay::suites {

// What measuring a unit has produced. `attempt` refers to `compiled`.
struct MeasuredUnit {
  struct Compiled {
    absl::StatusOr<CompiledModel> model;
    double ms = 0;
  };
  std::map<reports::Variant, Compiled> compiled;
  Attempt attempt;
};

// What the models of a run share.
struct SharedByModels {
  const Options& options;
  const Services& services;
  const RunState& state;
  RunRecorder& recorder;
  // Held during the work that only one thread of the run does at a time.
  absl::Mutex& preparation;
};

class ModelRun {
 public:
  // All that the arguments refer to must outlive this object.
  ModelRun(const SharedByModels& shared, const ModelSource& source,
           const reports::Baseline& baseline)
      : options_(shared.options),
        services_(shared.services),
        source_(source),
        state_(shared.state),
        recorder_(shared.recorder),
        preparation_(shared.preparation),
        judge_(options_, services_, source, baseline, state_) {}

  // Loads the model and the inputs of --inputs or --input_value. Must be called
  // first. Requires the mutex of the preparation.
  absl::Status Load();

  // Compiles, checks and measures the cells of a unit of this model. A failure
  // of the device is recorded in the row of the cell. Returns an error if the
  // file of --outputs cannot be written. Returns an error with ExitCode::kUsage
  // if the user's input is invalid, for example if the model cannot be
  // compiled. Thread-safe, but only one thread at a time may use the lane.
  absl::StatusOr<MeasuredUnit> Measure(const Unit& unit, Lane* lane);

  // Remarks about the whole model. Requires the mutex of the preparation.
  const Remarks& remarks() const { return remarks_; }

 private:
  // A unit that is being measured on a device.
  struct Work {
    const Unit& unit;
    const DevicePlan& plan;
    MeasuredUnit* measured;
  };

  absl::Status MeasureCells(const Work& work, bool last_attempt);
  absl::Status CheckBoard(const runtime::DeviceFacts& facts,
                          reports::Row* row) const;
  absl::StatusOr<Cell> NewCell(const Work& work,
                               const reports::Variant& variant);
  absl::Status Prepare(const Work& work, Cell* cell);
  reports::Row NewRow(const Work& work, const reports::Variant& variant) const;
  const MeasuredUnit::Compiled& Compile(const Work& work,
                                        const reports::CellKey& cell);
  static void NoteTuning(const Work& work, const reports::Row& row);
  absl::Status Check(const Work& work, Cell* cell);
  absl::Status LoadInputs(std::optional<runtime::NamedTensors>* inputs);
  absl::StatusOr<runtime::NamedTensors> SettingsOfFlags();

  const Options& options_;
  const Services& services_;
  const ModelSource& source_;
  const RunState& state_;
  RunRecorder& recorder_;
  absl::Mutex& preparation_;
  const RowJudge judge_;

  Model model_;
  std::string inputs_digest_;  // empty without --inputs
  Remarks remarks_;
  std::optional<ModelAnswers> answers_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_MODEL_RUN_H_
