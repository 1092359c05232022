#include "suites/harness/model_run.h"

#include <memory>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/process_memory.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/example_inputs.h"
#include "suites/correctness/model_inputs.h"
#include "suites/correctness/rounding.h"
#include "suites/harness/cell_filter.h"
#include "suites/harness/cell_timer.h"
#include "suites/harness/reproduce.h"
#include "suites/harness/row_outcome.h"
#include "suites/machine/environment.h"
#include "suites/tensors/tensor_files.h"

namespace assay::suites {
namespace {

// Names a model that is not loaded yet.
std::string NameOf(const ModelSource& source) {
  std::string name = absl::StrCat("the model of //suites:", source.target);
  for (const auto& [flag, value] : source.flags) {
    absl::StrAppend(&name, " --", flag, "=", value);
  }
  return name;
}

// How often the cells that are compared are measured if the device is lost.
constexpr int kMaxAttempts = 4;

void Describe(const runtime::Artifact& artifact, reports::BuildFacts* build) {
  build->kernels = static_cast<int>(artifact.calls.size());
  for (const runtime::KernelCall& call : artifact.calls) {
    build->flops += call.flops;
  }
  build->artifact_bytes = runtime::FileBytes(artifact);
  build->params_bytes = static_cast<int64_t>(artifact.params.size());
  build->arena_bytes = artifact.arena_bytes;
  const auto live = artifact.metadata.find(runtime::kMetaLiveBytes);
  if (live != artifact.metadata.end()) {
    (void)absl::SimpleAtoi(live->second, &build->live_bytes);
  }
}

}  // namespace

absl::Status ModelRun::Load() {
  {
    const ScopedMemoryLimit limit(options_.compile.max_memory,
                                  absl::StrCat("loading ", NameOf(source_)));
    ASSAY_ASSIGN_OR_RETURN(model_, source_.load());
  }
  CHECK(model_.graph != nullptr);
  // The name is printed, and names rows and folders.
  model_.name = PlainText(model_.name);
  for (const std::string& warning : model_.warnings) {
    absl::StrAppend(&remarks_.lines, model_.name, ": warning: ", warning, "\n");
  }
  std::optional<runtime::NamedTensors> inputs;
  ASSAY_RETURN_IF_ERROR(LoadInputs(&inputs));
  GivenInputs given;
  given.inputs = std::move(inputs);
  ASSAY_ASSIGN_OR_RETURN(given.settings, SettingsOfFlags());
  ASSAY_RETURN_IF_ERROR(
      CheckVaryingInputs(options_.model.varying, *model_.graph));
  given.varying = {options_.model.varying.begin(),
                   options_.model.varying.end()};
  answers_.emplace(model_, services_, options_.timing.seed, std::move(given),
                   &remarks_.lines);
  return absl::OkStatus();
}

// Reads the inputs of --inputs, if the flag is given.
absl::Status ModelRun::LoadInputs(
    std::optional<runtime::NamedTensors>* inputs) {
  if (options_.model.inputs.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(
      const InputFile file,
      OpenInputs(options_.model.inputs, options_.compile.max_memory));
  ASSAY_ASSIGN_OR_RETURN(*inputs, ReadModelInputs(file, *model_.graph));
  inputs_digest_ = runtime::TensorsDigest(**inputs);
  absl::StrAppend(&remarks_.lines, model_.name, ": measured with the inputs ",
                  "of ", file.label, "\n");
  return absl::OkStatus();
}

// Returns the inputs of --input_value.
absl::StatusOr<runtime::NamedTensors> ModelRun::SettingsOfFlags() {
  ASSAY_ASSIGN_OR_RETURN(
      runtime::NamedTensors settings,
      SettingsFromValues(options_.model.input_values, *model_.graph));
  for (const auto& [name, value] : options_.model.input_values) {
    absl::StrAppend(&remarks_.lines, model_.name,
                    ": every element of the input `", name, "` is ", value,
                    "\n");
  }
  return settings;
}

// The cells of a unit are compared with each other. If the device is lost
// meanwhile (Cell::device_lost), the attempt is discarded and made again, so
// that all their samples are of one device.
absl::StatusOr<MeasuredUnit> ModelRun::Measure(const Unit& unit, Lane* lane) {
  MeasuredUnit measured;
  Attempt& attempt = measured.attempt;
  std::string losses;
  for (int number = 1; number <= kMaxAttempts; ++number) {
    attempt = {};
    attempt.remarks.lines = losses;
    attempt.lane = lane->state;
    ASSAY_RETURN_IF_ERROR(
        MeasureCells({unit, lane->plan, &measured}, number == kMaxAttempts));
    const auto lost = absl::c_find_if(
        attempt.cells, [](const Cell& cell) { return cell.device_lost; });
    if (lost == attempt.cells.end() || number == kMaxAttempts) break;
    absl::StrAppend(&losses, Label(lost->row), "measured again, because ",
                    lost->row.reason, "\n");
    services_.progress->Repeat(static_cast<int>(attempt.cells.size()));
  }
  for (Cell& cell : attempt.cells) {
    cell.session = nullptr;
    if (cell.device_lost) {
      cell.row.reason = absl::StrCat("lost in each of ", kMaxAttempts,
                                     " attempts: ", cell.row.reason);
    }
  }
  lane->state = attempt.lane;
  return measured;
}

absl::Status ModelRun::MeasureCells(const Work& work, bool last_attempt) {
  Attempt& attempt = work.measured->attempt;
  bool lost = false;
  for (const reports::Variant& variant : work.plan.variants) {
    if (!MatchesCell(options_.matrix.cells,
                     CellName(model_.name, work.plan.device.name(), variant,
                              work.unit.threads))) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(Cell cell, NewCell(work, variant));
    NoteTuning(work, cell.row);
    lost |= cell.device_lost;
    attempt.cells.push_back(std::move(cell));
  }
  if (lost && !last_attempt) return absl::OkStatus();
  // An attempt on a leased device may have to be made again.
  CellTimer::Done done;
  if (!work.plan.leased()) {
    done = [&](size_t index) {
      return recorder_.KeepRow(work.unit, index, attempt);
    };
  }
  return CellTimer(options_, services_, model_, judge_)
      .Time(work.plan, *answers_, done, &attempt);
}

// Returns a cell that is compiled and checked, or was recorded. An error ends
// the rows of the model.
absl::StatusOr<Cell> ModelRun::NewCell(const Work& work,
                                       const reports::Variant& variant) {
  Cell cell;
  cell.row = NewRow(work, variant);
  services_.progress->NextRow(absl::StrCat(cell.row.cell.model, " on ",
                                           cell.row.cell.device, ", ",
                                           VariantText(variant)));
  services_.progress->NameBoard(cell.row.board);
  absl::Status status = Prepare(work, &cell);
  if (!status.ok()) {
    if (ExitCodeOf(status) == ExitCode::kUsage) return status;
  } else {
    const std::optional<reports::Row> recorded = recorder_.Find(cell.name);
    if (recorded.has_value()) {
      cell.row = *recorded;
      return cell;
    }
    status = Check(work, &cell);
  }
  if (!status.ok()) {
    FailCell(status, &cell);
    cell.session = nullptr;
    cell.row.board = work.plan.runner->facts().board;
  }
  ASSAY_RETURN_IF_ERROR(recorder_.WriteOutputs(work.unit, cell));
  cell.outputs.clear();
  return cell;
}

// Compiles the cell and, unless its row was recorded, finds the correct
// outputs.
absl::Status ModelRun::Prepare(const Work& work, Cell* cell) {
  reports::Row& row = cell->row;
  const absl::MutexLock lock(&preparation_);
  const MeasuredUnit::Compiled& compiled = Compile(work, row.cell);
  // The name contains all that influences the row: flags, artifact, records of
  // the tuner and inputs.
  cell->name = row.reproduce;
  ASSAY_RETURN_IF_ERROR(compiled.model.status());
  cell->artifact = &compiled.model->artifact;
  row.build.artifact_digest = runtime::Digest(*cell->artifact);
  row.build.tuning_digest = compiled.model->tuning_digest;
  absl::StrAppend(&cell->name, " artifact=", row.build.artifact_digest);
  if (!row.build.tuning_digest.empty()) {
    absl::StrAppend(&cell->name, " tuning=", row.build.tuning_digest);
  }
  if (!inputs_digest_.empty()) {
    absl::StrAppend(&cell->name, " inputs=", inputs_digest_);
  }
  if (recorder_.Find(cell->name).has_value()) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(answers_->Find(work.plan.device));
  row.build.compile_ms = compiled.ms;
  return absl::OkStatus();
}

reports::Row ModelRun::NewRow(const Work& work,
                              const reports::Variant& variant) const {
  const DevicePlan& plan = work.plan;
  reports::Row row;
  row.suite = source_.suite;
  row.cell = {model_.name, plan.device.name(), variant, work.unit.threads};
  row.emulated = plan.facts.emulated;
  row.fingerprint = plan.facts.fingerprint;
  row.board = plan.runner->facts().board;
  row.build.model_digest = model_.digest;
  row.reproduce =
      ReproduceCommand(source_, options_, plan.flag, variant, work.unit.threads,
                       TimingFor(options_.timing, plan.device));
  return row;
}

const MeasuredUnit::Compiled& ModelRun::Compile(const Work& work,
                                                const reports::CellKey& cell) {
  auto& compiled = work.measured->compiled;
  const auto known = compiled.find(cell.variant);
  if (known != compiled.end()) return known->second;
  services_.progress->Step("compiling");
  const int64_t start = MonotonicNanos();
  const auto compile = [&] {
    const ScopedMemoryLimit limit(
        options_.compile.max_memory,
        absl::StrCat("compiling `", model_.name, "`"));
    return services_.tools.compiler->Compile(
        model_, {work.plan.device, work.plan.facts.fingerprint, cell.threads},
        cell.variant, DumpFolder(options_.compile.dump_dir, state_, cell));
  };
  auto model = compile();
  const double ms = static_cast<double>(MonotonicNanos() - start) / 1e6;
  return compiled
      .emplace(cell.variant,
               MeasuredUnit::Compiled{std::move(model), ms + model_.import_ms})
      .first->second;
}

// Says what the log of the tuner has changed in a tuned row.
void ModelRun::NoteTuning(const Work& work, const reports::Row& row) {
  const auto& model = work.measured->compiled.at(row.cell.variant).model;
  if (!model.ok() || model->tuning_remark.empty()) return;
  absl::StrAppend(&work.measured->attempt.remarks.lines, Label(row),
                  model->tuning_remark, "\n");
}

// Names the board that measures the row. It may have replaced another one of
// the same kind since the run began; the times are then compared with those of
// the baseline only if its state is comparable.
absl::Status ModelRun::CheckBoard(const runtime::DeviceFacts& facts,
                                  reports::Row* row) const {
  row->board = facts.board;
  const std::string now = ComparableState(EnvironmentOf(facts));
  const std::string before = ComparableState(state_.environment);
  if (facts.board.empty() || facts.emulated || now == before ||
      facts.fingerprint != state_.environment.fingerprint) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the board ", facts.board,
                   " is in another state than the board with which this run "
                   "began (",
                   StateChanges(before, now), ")"));
}

// Loads the artifact, runs it on every example and compares the outputs. The
// cell has a session afterwards only if they are correct.
absl::Status ModelRun::Check(const Work& work, Cell* cell) {
  const DevicePlan& plan = work.plan;
  reports::Row& row = cell->row;
  Describe(*cell->artifact, &row.build);
  if (!answers_->contradiction().empty()) {
    MarkWrongOutput(answers_->contradiction(), &row);
    return absl::OkStatus();
  }
  services_.progress->Step("checking the output");
  const absl::Span<const Example> examples = answers_->For(plan.device);
  runtime::LoadOptions load;
  load.threads = row.cell.threads;
  load.from_bytes = true;  // the time of loading is reported
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         plan.runner->Load({cell->artifact}, load));
  ASSAY_RETURN_IF_ERROR(CheckBoard(session->facts(), &row));
  services_.progress->NameBoard(row.board);
  CheckRule rule = InterpreterRule(model_);
  LimitByAgreement(*cell->artifact, answers_->agreement(), &rule);
  cell->session = std::make_unique<CheckedSession>(
      std::move(session), examples, std::move(rule),
      answers_->TimedFor(plan.device).size());
  ASSAY_ASSIGN_OR_RETURN(const Accuracy accuracy, cell->session->Examine());
  cell->outputs = cell->session->record()->outputs[0];
  row.cell.threads = cell->session->threads();
  row.reproduce = ReproduceCommand(source_, options_, plan.flag,
                                   row.cell.variant, row.cell.threads,
                                   TimingFor(options_.timing, plan.device));
  row.correctness = {accuracy.max_abs_error, accuracy.bound,
                     answers_->no_second_opinion()};
  if (!accuracy.correct) {
    MarkWrongOutput(accuracy.problem, &row);
    cell->session = nullptr;
  } else if (!accuracy.remark.empty()) {
    absl::StrAppend(&work.measured->attempt.remarks.lines, Label(row),
                    accuracy.remark, "\n");
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
