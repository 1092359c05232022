// ModelRun: compiles, checks and measures the rows of one model (run.h).
#ifndef ASSAY_SUITES_HARNESS_MODEL_RUN_H_
#define ASSAY_SUITES_HARNESS_MODEL_RUN_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/baseline/baseline.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/model_answers.h"
#include "suites/harness/row_judge.h"
#include "suites/harness/run_services.h"
#include "suites/harness/run_state.h"

namespace assay::suites {

class ModelRun {
 public:
  // Receives each cell when it is finished.
  using KeepCell = std::function<absl::Status(Cell cell)>;

  // All arguments except `keep` must outlive this object.
  ModelRun(const Options& options, const Services& services,
           const ModelSource& source, const reports::Baseline& baseline,
           RunState* state, KeepCell keep)
      : options_(options),
        services_(services),
        source_(source),
        state_(state),
        keep_(std::move(keep)),
        judge_(options, services, source, baseline, state) {}

  // Loads the model and the inputs of --inputs or --input_value. Must be called
  // before RunOn().
  absl::Status Load();
  // Compiles, checks and measures the cells of one device. A failure of the
  // device is recorded in the row of the cell. Returns the error of `keep` if
  // `keep` fails, and an error if the file of --outputs cannot be written.
  // Returns an error with ExitCode::kUsage if the user's input is
  // invalid, for example if the model cannot be compiled.
  absl::Status RunOn(const DevicePlan& plan);

 private:
  struct Compiled {
    absl::StatusOr<runtime::Artifact> artifact;
    double ms = 0;
  };

  absl::Status RunThreads(const DevicePlan& plan, int threads);
  absl::Status MeasureCells(const DevicePlan& plan, int threads,
                            bool last_attempt, std::vector<Cell>* cells);
  absl::Status CheckBoard(const runtime::DeviceFacts& facts,
                          reports::Row* row) const;
  absl::StatusOr<Cell> NewCell(const DevicePlan& plan, bool fusion,
                               int threads);
  reports::Row NewRow(const DevicePlan& plan, bool fusion, int threads) const;
  const Compiled& Compile(const DevicePlan& plan, const reports::CellKey& cell);
  absl::Status Check(const DevicePlan& plan, Cell* cell);
  absl::Status LoadInputs(std::optional<runtime::NamedTensors>* inputs);
  absl::StatusOr<runtime::NamedTensors> SettingsOfFlags();
  absl::Status WriteOutputs(const Cell& cell);

  const Options& options_;
  const Services& services_;
  const ModelSource& source_;
  RunState* const state_;
  const KeepCell keep_;
  const RowJudge judge_;

  Model model_;
  std::string inputs_digest_;  // empty without --inputs
  std::optional<ModelAnswers> answers_;
  // Compiled artifacts of the current device; the key is fusion and the number
  // of threads.
  std::map<std::pair<bool, int>, Compiled> compiled_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_MODEL_RUN_H_
