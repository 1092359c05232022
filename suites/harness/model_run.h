// ModelRun: runs the jobs of one model. Each cell of a job goes through the
// stages compile, check, time and judge (cell.h).
//
// The cells of a job differ only in their variants and are compared with each
// other. If the device is lost meanwhile, all of them are measured again, so
// that all their samples are of one device.
//
// Several slots may run jobs of the model at the same time. Only one thread at
// a time loads or compiles a model or computes correct outputs, because this
// uses all processors and much memory of this machine, while the devices of the
// other slots go on measuring.
#ifndef ASSAY_SUITES_HARNESS_MODEL_RUN_H_
#define ASSAY_SUITES_HARNESS_MODEL_RUN_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "suites/harness/check.h"
#include "suites/harness/compile.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/job_list.h"
#include "suites/harness/judge.h"
#include "suites/harness/model_answers.h"
#include "suites/harness/recorder.h"
#include "suites/harness/row_builder.h"
#include "suites/harness/time.h"

namespace assay::suites {

struct Stages {
  const CompileStage& compile;
  const CheckStage& check;
  const TimeStage& time;
  const JudgeStage& judge;
};

class ModelRun {
 public:
  // `preparation` is held during the work that only one thread of the run does
  // at a time. All that the arguments refer to must outlive this object.
  ModelRun(const Options& options, const ModelSource& source,
           const Stages& stages, Recorder& recorder, absl::Mutex& preparation)
      : options_(options),
        source_(source),
        stages_(stages),
        recorder_(recorder),
        preparation_(preparation),
        rows_(options, source) {}

  // Loads the model and the inputs of --inputs or --input_value. Must be called
  // first. The caller must hold `preparation`.
  absl::Status Load(const Experts& experts);

  // Measures the cells of a job, one for each variant in `variants`. `history`
  // is that of the earlier jobs of the slot. A failure of the device is
  // recorded in the row of the cell. Returns an error if the file of --outputs
  // cannot be written, or with ExitCode::kUsage if the user's input is invalid,
  // for example if the model cannot be compiled. Thread-safe, but only one
  // thread at a time may use the slot.
  absl::StatusOr<JobResult> Run(const Job& job,
                                const std::vector<reports::Variant>& variants,
                                const DeviceSlot& slot,
                                const SlotHistory& history);

  // Notes about the whole model. The caller must hold `preparation`.
  const ReportNotes& notes() const { return notes_; }

 private:
  // One attempt to run a job.
  struct Attempt {
    const Job& job;
    const std::vector<reports::Variant>& variants;
    const DeviceSlot& slot;
    const bool is_last;
    // The cells that this and earlier attempts have compiled.
    std::map<reports::Variant, absl::StatusOr<CompiledCell>>& compiled;
  };
  // A cell of an attempt. `name` is the key of its row in the store.
  struct Cell {
    CellResults results;
    std::string name;
    std::optional<reports::Row> recorded;  // by an earlier process of this run
  };

  absl::Status RunOnce(const Attempt& attempt, JobResult* result);
  absl::StatusOr<Cell> NewCell(const Attempt& attempt,
                               const reports::Variant& variant,
                               ReportNotes* notes);
  absl::Status Prepare(const Attempt& attempt, Cell* cell);
  void Time(const Attempt& attempt, std::vector<Cell>* cells,
            ReportNotes* notes) const;
  absl::Status Finish(const Attempt& attempt, Cell* cell,
                      JobResult* result) const;
  absl::StatusOr<GivenInputs> ReadInputs();

  const Options& options_;
  const ModelSource& source_;
  const Stages stages_;
  Recorder& recorder_;
  absl::Mutex& preparation_;
  const RowBuilder rows_;

  Progress* progress_ = nullptr;
  Model model_;
  std::string inputs_digest_;  // empty without --inputs
  ReportNotes notes_;
  std::optional<ModelAnswers> answers_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_MODEL_RUN_H_
