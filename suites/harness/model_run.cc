#include "suites/harness/model_run.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/pipeline/pass_selection.h"
#include "compiler/graph/pipeline/pipeline.h"
#include "compiler/graph/quantization/fake_quantization_to_integer.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/check.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/process_memory.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/example_inputs.h"
#include "suites/correctness/model_inputs.h"
#include "suites/harness/cell_filter.h"
#include "suites/tensors/tensor_files.h"

namespace assay::suites {
namespace {

// How often the cells of a job are measured if the device is lost.
constexpr int kMaxAttempts = 4;

// Names a model that is not loaded yet.
std::string NameOf(const ModelSource& source) {
  std::string name = absl::StrCat("the model of //suites:", source.target);
  for (const auto& [flag, value] : source.flags) {
    absl::StrAppend(&name, " --", flag, "=", value);
  }
  return name;
}

}  // namespace

absl::Status ModelRun::Load(const Experts& experts) {
  progress_ = &experts.progress;
  {
    const ScopedMemoryLimit limit(options_.compile.max_memory,
                                  absl::StrCat("loading ", NameOf(source_)));
    ASSAY_ASSIGN_OR_RETURN(model_, source_.load());
  }
  CHECK(model_.graph != nullptr);
  ASSAY_ASSIGN_OR_RETURN(
      const graph::SelectedPasses passes,
      graph::SelectPasses(graph::Pipeline(), options_.compile.passes));
  if (!absl::c_linear_search(passes.names,
                             graph::FakeQuantizationToInteger::kName)) {
    model_.integer_graph = nullptr;
  }
  // The name is printed, and names rows and folders.
  model_.name = PlainText(model_.name);
  for (const std::string& warning : model_.warnings) {
    absl::StrAppend(&notes_.lines, model_.name, ": warning: ", warning, "\n");
  }
  ASSAY_ASSIGN_OR_RETURN(GivenInputs given, ReadInputs());
  answers_.emplace(model_, experts, options_.timing.seed, std::move(given),
                   &notes_.lines);
  return absl::OkStatus();
}

// Reads the inputs of --inputs, --input_value and --vary.
absl::StatusOr<GivenInputs> ModelRun::ReadInputs() {
  const ModelOptions& flags = options_.model;
  GivenInputs given;
  if (!flags.inputs.empty()) {
    ASSAY_ASSIGN_OR_RETURN(
        const InputFile file,
        OpenInputs(flags.inputs, options_.compile.max_memory));
    ASSAY_ASSIGN_OR_RETURN(given.inputs, ReadModelInputs(file, *model_.graph));
    inputs_digest_ = runtime::TensorsDigest(*given.inputs);
    absl::StrAppend(&notes_.lines, model_.name, ": measured with the inputs ",
                    "of ", file.label, "\n");
  }
  ASSAY_ASSIGN_OR_RETURN(given.settings,
                         SettingsFromValues(flags.input_values, *model_.graph));
  for (const auto& [name, value] : flags.input_values) {
    absl::StrAppend(&notes_.lines, model_.name,
                    ": every element of the input `", name, "` is ", value,
                    "\n");
  }
  ASSAY_RETURN_IF_ERROR(CheckVaryingInputs(flags.varying, *model_.graph));
  given.varying = {flags.varying.begin(), flags.varying.end()};
  return given;
}

absl::StatusOr<JobResult> ModelRun::Run(
    const Job& job, const std::vector<reports::Variant>& variants,
    const DeviceSlot& slot, const SlotHistory& history) {
  std::map<reports::Variant, absl::StatusOr<CompiledCell>> compiled;
  std::string losses;
  for (int number = 1;; ++number) {
    const bool is_last = number == kMaxAttempts;
    JobResult result;
    result.session.history = history;
    result.session.notes.lines = losses;
    ASSAY_RETURN_IF_ERROR(
        RunOnce({job, variants, slot, is_last, compiled}, &result));
    const auto lost = absl::c_find_if(
        result.cells,
        [](const MeasuredCell& cell) { return cell.device_lost; });
    if (lost == result.cells.end() || is_last) return result;
    absl::StrAppend(&losses, LabelOf(lost->row.cell),
                    "measured again, because ", lost->row.reason, "\n");
    progress_->Repeat(static_cast<int>(result.cells.size()));
  }
}

absl::Status ModelRun::RunOnce(const Attempt& attempt, JobResult* result) {
  ReportNotes* const notes = &result->session.notes;
  std::vector<Cell> cells;
  bool lost = false;
  for (const reports::Variant& variant : attempt.variants) {
    if (!MatchesCell(options_.matrix.cells,
                     CellName(model_.name, attempt.slot.device.name(), variant,
                              attempt.job.threads))) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(Cell cell, NewCell(attempt, variant, notes));
    lost |= cell.results.judged.judgement.device_lost;
    cells.push_back(std::move(cell));
  }
  if (!lost || attempt.is_last) Time(attempt, &cells, notes);
  for (Cell& cell : cells) {
    ASSAY_RETURN_IF_ERROR(Finish(attempt, &cell, result));
  }
  return absl::OkStatus();
}

// Returns a cell that is compiled and checked, or was recorded. An error ends
// the rows of the model.
absl::StatusOr<ModelRun::Cell> ModelRun::NewCell(
    const Attempt& attempt, const reports::Variant& variant,
    ReportNotes* notes) {
  const DeviceSlot& slot = attempt.slot;
  Cell cell;
  CellResults& results = cell.results;
  results.planned = {model_.name, slot.device.name(), variant,
                     attempt.job.threads};
  progress_->NextRow(absl::StrCat(results.planned.model, " on ",
                                  results.planned.device, ", ",
                                  VariantText(variant)));
  progress_->NameBoard(slot.runner->facts().board);
  absl::Status status = Prepare(attempt, &cell);
  if (!status.ok() && ExitCodeOf(status) == ExitCode::kUsage) return status;
  if (status.ok() && !cell.recorded.has_value()) {
    absl::StatusOr<CheckedCell> checked = stages_.check.Check(
        results.planned, *results.compiled, *answers_, slot);
    status = checked.status();
    if (checked.ok()) results.checked = *std::move(checked);
  }
  if (!status.ok()) results.judged.judgement = Failure(status);
  // The device may be replaced by another board later.
  results.board = results.checked.has_value() ? results.checked->board
                                              : slot.runner->facts().board;
  const std::string label =
      LabelOf(cell.recorded.has_value() ? cell.recorded->cell : results.key());
  if (results.checked.has_value()) {
    CheckedCell& checked = *results.checked;
    const bool wrong = !checked.problem.empty();
    if (wrong) results.judged.judgement = WrongOutput(checked.problem);
    if (!checked.remark.empty()) {
      absl::StrAppend(&notes->lines, label, checked.remark, "\n");
    }
    ASSAY_RETURN_IF_ERROR(
        recorder_.WriteOutputs(attempt.job, checked.outputs, label, wrong));
    checked.outputs.clear();
  }
  if (results.compiled.has_value() &&
      !results.compiled->tuning_remark.empty()) {
    absl::StrAppend(&notes->lines, label, results.compiled->tuning_remark,
                    "\n");
  }
  return cell;
}

// Compiles the cell and, unless its row was recorded, finds the correct
// outputs.
absl::Status ModelRun::Prepare(const Attempt& attempt, Cell* cell) {
  const absl::MutexLock lock(&preparation_);
  const reports::CellKey& key = cell->results.planned;
  auto known = attempt.compiled.find(key.variant);
  if (known == attempt.compiled.end()) {
    known = attempt.compiled
                .emplace(key.variant,
                         stages_.compile.Compile(model_, key, attempt.slot))
                .first;
  }
  // The name contains all that influences the row: flags, artifact, records of
  // the tuner and inputs.
  cell->name = rows_.Reproduce(key, attempt.slot);
  ASSAY_RETURN_IF_ERROR(known->second.status());
  cell->results.compiled = *known->second;
  const reports::BuildFacts& build = cell->results.compiled->build;
  absl::StrAppend(&cell->name, " artifact=", build.artifact_digest);
  if (!build.tuning_digest.empty()) {
    absl::StrAppend(&cell->name, " tuning=", build.tuning_digest);
  }
  if (!inputs_digest_.empty()) {
    absl::StrAppend(&cell->name, " inputs=", inputs_digest_);
  }
  cell->recorded = recorder_.Find(cell->name);
  if (cell->recorded.has_value()) return absl::OkStatus();
  return answers_->Find(attempt.slot.device);
}

// Times the cells whose outputs are correct.
void ModelRun::Time(const Attempt& attempt, std::vector<Cell>* cells,
                    ReportNotes* notes) const {
  std::vector<CellResults*> correct;
  std::vector<const CheckedCell*> checked;
  for (Cell& cell : *cells) {
    CellResults& results = cell.results;
    if (!results.checked.has_value() || results.checked->session == nullptr) {
      continue;
    }
    correct.push_back(&results);
    checked.push_back(&*results.checked);
  }
  if (correct.empty()) return;
  std::vector<TimedCell> timed =
      stages_.time.Time(checked, *answers_, attempt.slot, notes);
  for (size_t i = 0; i < correct.size(); ++i) {
    correct[i]->judged.comparison = timed[i].comparison;
    if (timed[i].failure.has_value()) {
      correct[i]->judged.judgement = *timed[i].failure;
    }
    correct[i]->timed = std::move(timed[i]);
  }
}

// Judges a cell that was timed, and adds its row to the result. An attempt on a
// leased device may have to be made again; other rows are recorded at once,
// because judging takes long.
absl::Status ModelRun::Finish(const Attempt& attempt, Cell* cell,
                              JobResult* result) const {
  CellResults& results = cell->results;
  MeasuredCell measured;
  measured.name = cell->name;
  if (results.compiled.has_value()) {
    measured.artifact = results.compiled->artifact;
  }
  if (cell->recorded.has_value()) {
    measured.row = *cell->recorded;
  } else {
    if (results.timed.has_value() && !results.timed->failure.has_value()) {
      results.judged =
          stages_.judge.Judge(source_, *results.compiled, *results.checked,
                              *results.timed, attempt.slot, &result->session);
      if (HasTimes(results.judged.judgement.verdict)) {
        const absl::Status profiled = stages_.time.Profile(
            *results.checked, *answers_, attempt.slot, &results.timed->timing,
            &result->session.notes);
        if (!profiled.ok()) results.judged.judgement = Failure(profiled);
      }
    }
    Judgement& judgement = results.judged.judgement;
    measured.device_lost = judgement.device_lost;
    if (judgement.device_lost && attempt.is_last) {
      judgement.reason = absl::StrCat("lost in each of ", kMaxAttempts,
                                      " attempts: ", judgement.reason);
    }
    measured.row = rows_.Build(results, attempt.slot, model_.digest);
  }
  if (results.checked.has_value()) results.checked->session = nullptr;
  result->cells.push_back(std::move(measured));
  if (attempt.slot.leased()) return absl::OkStatus();
  return recorder_.KeepRow(attempt.job, result->cells.size() - 1, *result);
}

}  // namespace assay::suites
