#include "suites/harness/model_run.h"

#include <memory>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "devices/device.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/input_settings.h"
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

// How often the cells that are compared are measured if the device is lost.
constexpr int kMaxAttempts = 4;

void Describe(const runtime::Artifact& artifact, reports::BuildFacts* build) {
  build->kernels = static_cast<int>(artifact.calls.size());
  for (const runtime::KernelCall& call : artifact.calls) {
    build->flops += call.flops;
  }
  build->arena_bytes = artifact.arena_bytes;
  const auto live = artifact.metadata.find(runtime::kMetaLiveBytes);
  if (live != artifact.metadata.end()) {
    (void)absl::SimpleAtoi(live->second, &build->live_bytes);
  }
}

}  // namespace

absl::Status ModelRun::Load() {
  ASSAY_ASSIGN_OR_RETURN(model_, source_.load());
  CHECK(model_.graph != nullptr);
  for (const std::string& warning : model_.warnings) {
    absl::StrAppend(&state_->remarks, model_.name, ": warning: ", warning,
                    "\n");
  }
  std::optional<runtime::NamedTensors> inputs;
  ASSAY_RETURN_IF_ERROR(LoadInputs(&inputs));
  ASSAY_ASSIGN_OR_RETURN(runtime::NamedTensors settings, SettingsOfFlags());
  if (inputs.has_value()) settings = SettingsAmong(*inputs);
  answers_.emplace(model_, services_, options_.timing.seed, std::move(inputs),
                   std::move(settings), &state_->remarks);
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
  absl::StrAppend(&state_->remarks, model_.name, ": measured with the inputs ",
                  "of ", file.label, "\n");
  return absl::OkStatus();
}

// Returns the inputs of --input_value.
absl::StatusOr<runtime::NamedTensors> ModelRun::SettingsOfFlags() {
  ASSAY_ASSIGN_OR_RETURN(
      runtime::NamedTensors settings,
      SettingsFromValues(options_.model.input_values, *model_.graph));
  for (const auto& [name, value] : options_.model.input_values) {
    absl::StrAppend(&state_->remarks, model_.name,
                    ": every element of the input `", name, "` is ", value,
                    "\n");
  }
  return settings;
}

absl::Status ModelRun::RunOn(const DevicePlan& plan) {
  compiled_.clear();
  for (const int threads : plan.threads) {
    ASSAY_RETURN_IF_ERROR(RunThreads(plan, threads));
  }
  return absl::OkStatus();
}

// Measures the cells that are compared with each other. If the device is lost
// meanwhile (Cell::device_lost), everything is discarded and measured again, so
// that all their samples are of one device.
absl::Status ModelRun::RunThreads(const DevicePlan& plan, int threads) {
  std::vector<Cell> cells;
  for (int attempt = 1; attempt <= kMaxAttempts; ++attempt) {
    const std::string remarks = state_->remarks;
    const reports::Canary canary = state_->canary;
    const auto canary_runs = state_->canary_runs;
    const double budget_left_s = state_->budget_left_s;
    cells.clear();
    ASSAY_RETURN_IF_ERROR(
        MeasureCells(plan, threads, attempt == kMaxAttempts, &cells));
    const auto lost = absl::c_find_if(
        cells, [](const Cell& cell) { return cell.device_lost; });
    if (lost == cells.end() || attempt == kMaxAttempts) break;
    state_->remarks =
        absl::StrCat(remarks, Label(lost->row), "measured again, because ",
                     lost->row.reason, "\n");
    state_->canary = canary;
    state_->canary_runs = canary_runs;
    state_->budget_left_s = budget_left_s;
    services_.progress->Repeat(static_cast<int>(cells.size()));
  }
  for (Cell& cell : cells) {
    cell.session = nullptr;
    if (cell.device_lost) {
      cell.row.reason = absl::StrCat("lost in each of ", kMaxAttempts,
                                     " attempts: ", cell.row.reason);
    }
    ASSAY_RETURN_IF_ERROR(keep_(std::move(cell)));
  }
  return absl::OkStatus();
}

absl::Status ModelRun::MeasureCells(const DevicePlan& plan, int threads,
                                    bool last_attempt,
                                    std::vector<Cell>* cells) {
  bool lost = false;
  for (const bool fusion : options_.matrix.fusion) {
    if (!MatchesCell(
            options_.matrix.cells,
            CellName(model_.name, plan.device.name(), fusion, threads))) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(Cell cell, NewCell(plan, fusion, threads));
    lost |= cell.device_lost;
    cells->push_back(std::move(cell));
  }
  if (lost && !last_attempt) return absl::OkStatus();
  CellTimer(options_, services_, model_, judge_, &state_->remarks)
      .Time(plan, *answers_, cells);
  return absl::OkStatus();
}

// Returns a cell that is compiled and checked, or was recorded. An error ends
// the whole run.
absl::StatusOr<Cell> ModelRun::NewCell(const DevicePlan& plan, bool fusion,
                                       int threads) {
  Cell cell;
  cell.row = NewRow(plan, fusion, threads);
  services_.progress->NextRow(absl::StrCat(cell.row.cell.model, " on ",
                                           cell.row.cell.device, ", fusion ",
                                           fusion ? "on" : "off"));
  const Compiled& compiled = Compile(plan, cell.row.cell);
  // The name contains all that influences the row: flags, artifact and inputs.
  cell.name = cell.row.reproduce;
  absl::Status status = compiled.artifact.status();
  if (status.ok()) {
    cell.artifact = &*compiled.artifact;
    cell.row.build.artifact_digest = runtime::Digest(*cell.artifact);
    absl::StrAppend(&cell.name, " artifact=", cell.row.build.artifact_digest);
    if (!inputs_digest_.empty()) {
      absl::StrAppend(&cell.name, " inputs=", inputs_digest_);
    }
    const reports::Row* recorded =
        state_->log == nullptr ? nullptr : state_->log->Find(cell.name);
    if (recorded != nullptr) {
      cell.row = *recorded;
      return cell;
    }
    status = answers_->Find(plan.device);
  }
  if (!status.ok()) {
    if (ExitCodeOf(status) == ExitCode::kUsage) return status;
  } else {
    cell.row.build.compile_ms = compiled.ms;
    status = Check(plan, &cell);
  }
  if (!status.ok()) {
    FailCell(status, &cell);
    cell.session = nullptr;
  }
  ASSAY_RETURN_IF_ERROR(WriteOutputs(cell));
  cell.outputs.clear();
  return cell;
}

// Writes the outputs of a cell to the file of --outputs, unless an earlier cell
// did or the program of this cell did not run.
absl::Status ModelRun::WriteOutputs(const Cell& cell) {
  const std::string& path = options_.output.outputs;
  if (path.empty() || state_->wrote_outputs || cell.outputs.empty()) {
    return absl::OkStatus();
  }
  ASSAY_RETURN_IF_ERROR(suites::WriteOutputs(path, cell.outputs));
  state_->wrote_outputs = true;
  const bool wrong = cell.row.verdict == stats::Verdict::kWrongOutput;
  absl::StrAppend(&state_->remarks, Label(cell.row),
                  wrong ? "warning: wrong outputs were written to `"
                        : "outputs were written to `",
                  path, "`\n");
  return absl::OkStatus();
}

reports::Row ModelRun::NewRow(const DevicePlan& plan, bool fusion,
                              int threads) const {
  reports::Row row;
  row.suite = source_.suite;
  row.cell = {model_.name, plan.device.name(), fusion, threads};
  const runtime::DeviceFacts facts = plan.runner->facts();
  row.emulated = facts.emulated;
  row.fingerprint = facts.fingerprint;
  row.board = facts.board;
  row.build.model_digest = model_.digest;
  row.reproduce =
      ReproduceCommand(source_, options_, plan.flag, fusion, threads,
                       TimingFor(options_.timing, plan.device));
  return row;
}

const ModelRun::Compiled& ModelRun::Compile(const DevicePlan& plan,
                                            const reports::CellKey& cell) {
  const auto known = compiled_.find({cell.fusion, cell.threads});
  if (known != compiled_.end()) return known->second;
  services_.progress->Step("compiling");
  const int64_t start = MonotonicNanos();
  auto artifact = services_.tools.compiler->Compile(
      model_, plan.device, cell.fusion, cell.threads,
      DumpFolder(options_.compile.dump_dir, *state_, cell));
  const double ms = static_cast<double>(MonotonicNanos() - start) / 1e6;
  return compiled_
      .emplace(std::make_pair(cell.fusion, cell.threads),
               Compiled{std::move(artifact), ms + model_.import_ms})
      .first->second;
}

// Names the board that measures the row. It may have replaced another one of
// the same kind since the run began; the times are then compared with those of
// the baseline only if its state is comparable.
absl::Status ModelRun::CheckBoard(const runtime::DeviceFacts& facts,
                                  reports::Row* row) const {
  row->board = facts.board;
  const std::string now = ComparableState(EnvironmentOf(facts));
  const std::string before = ComparableState(state_->environment);
  if (facts.board.empty() || facts.emulated || now == before ||
      facts.fingerprint != state_->environment.fingerprint) {
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
absl::Status ModelRun::Check(const DevicePlan& plan, Cell* cell) {
  reports::Row& row = cell->row;
  Describe(*cell->artifact, &row.build);
  if (!answers_->contradiction().empty()) {
    MarkWrongOutput(answers_->contradiction(), &row);
    return absl::OkStatus();
  }
  services_.progress->Step("checking the output");
  const absl::Span<const Example> examples = answers_->For(plan.device);
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<runtime::Session> session,
      plan.runner->Load({cell->artifact}, {row.cell.threads}));
  ASSAY_RETURN_IF_ERROR(CheckBoard(session->facts(), &row));
  cell->session = std::make_unique<CheckedSession>(
      std::move(session), examples, InterpreterRule(model_),
      answers_->TimedFor(plan.device).size());
  ASSAY_ASSIGN_OR_RETURN(const Accuracy accuracy, cell->session->Examine());
  cell->outputs = cell->session->record()->outputs[0];
  row.cell.threads = cell->session->threads();
  row.reproduce = ReproduceCommand(source_, options_, plan.flag,
                                   row.cell.fusion, row.cell.threads,
                                   TimingFor(options_.timing, plan.device));
  row.correctness = {accuracy.max_abs_error, accuracy.bound};
  if (!accuracy.correct) {
    MarkWrongOutput(accuracy.problem, &row);
    cell->session = nullptr;
  } else if (!accuracy.remark.empty()) {
    absl::StrAppend(&state_->remarks, Label(row), accuracy.remark, "\n");
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
