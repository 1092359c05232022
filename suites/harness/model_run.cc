#include "suites/harness/model_run.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "devices/device.h"
#include "reports/stats/summary.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/oracle.h"
#include "suites/harness/cell_filter.h"
#include "suites/harness/environment.h"
#include "suites/harness/in_turns.h"
#include "suites/harness/profile.h"
#include "suites/harness/reproduce.h"
#include "suites/harness/row_outcome.h"

namespace assay::suites {
namespace {

// Threads of a runtime that is asked for an answer and not timed.
constexpr int kAllThreads = 0;
// Inputs that a device is asked, one in each round of samples: more than one,
// so that an answer can be told from one that was kept.
constexpr size_t kExamples = 2;

}  // namespace

reports::BaselineKey KeyOf(const reports::Row& row) {
  return {row.model, row.device, row.fusion, row.tuning, row.threads};
}

std::string ArtifactFolder(const std::string& results_folder) {
  return JoinPath(results_folder, "artifacts");
}

absl::Status ModelRun::Load() {
  ASSAY_ASSIGN_OR_RETURN(model_, source_.load());
  CHECK(model_.graph != nullptr);
  const size_t examples = model_.graph->inputs().empty() ? 1 : kExamples;
  for (size_t i = 0; i < examples; ++i) {
    examples_.push_back(
        {SeededInputs(*model_.graph, options_.seed + i), /*answer=*/{}});
  }
  return absl::OkStatus();
}

absl::Status ModelRun::RunOn(const DevicePlan& plan) {
  compiled_.clear();
  for (const int threads : plan.threads) {
    ASSAY_RETURN_IF_ERROR(RunThreads(plan, threads));
  }
  return absl::OkStatus();
}

const ModelRun::Compiled& ModelRun::Compile(const DevicePlan& plan, bool fusion,
                                            int threads) {
  const auto known = compiled_.find({fusion, threads});
  if (known != compiled_.end()) return known->second;
  services_.progress->Step("compiling");
  const int64_t start = MonotonicNanos();
  auto artifact =
      services_.compiler->Compile(model_, plan.device, fusion, threads,
                                  DumpFolder(options_.dump_dir, plan, fusion));
  const double ms = static_cast<double>(MonotonicNanos() - start) / 1e6;
  return compiled_
      .emplace(std::make_pair(fusion, threads),
               Compiled{std::move(artifact), ms + model_.import_ms})
      .first->second;
}

// The same for every number of threads: the last one's dump stays.
std::string ModelRun::DumpFolder(const std::string& folder,
                                 const DevicePlan& plan, bool fusion) const {
  if (folder.empty()) return "";
  return JoinPath(
      one_of_several_ ? JoinPath(folder, model_.name) : folder,
      absl::StrCat(plan.device.name(), fusion ? ".fusion_on" : ".fusion_off"));
}

reports::Row ModelRun::NewRow(const DevicePlan& plan, bool fusion,
                              int threads) const {
  reports::Row row;
  row.suite = source_.suite;
  row.model = model_.name;
  row.device = plan.device.name();
  row.fusion = fusion;
  row.threads = threads;
  row.emulated = devices::IsEmulated(plan.device);
  row.fingerprint = row.emulated ? EmulatedFingerprint(plan.device)
                                 : services_.environment.fingerprint;
  row.model_digest = model_.digest;
  row.reproduce = ReproduceCommand(source_, options_, plan.flag, fusion,
                                   threads, TimingFor(options_, plan.device));
  return row;
}

absl::Status ModelRun::RunThreads(const DevicePlan& plan, int threads) {
  std::vector<Cell> cells;
  for (const bool fusion : options_.fusion) {
    if (!MatchesCell(options_.cells, CellName(model_.name, plan.device.name(),
                                              fusion, threads))) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(Cell cell, NewCell(plan, fusion, threads));
    cells.push_back(std::move(cell));
  }
  MeasureAll(plan, &cells);
  for (Cell& cell : cells) {
    ASSAY_RETURN_IF_ERROR(keep_(cell.name, std::move(cell.row), cell.artifact));
  }
  return absl::OkStatus();
}

// Compiled and checked, or as recorded. An error is one of the whole run.
absl::StatusOr<ModelRun::Cell> ModelRun::NewCell(const DevicePlan& plan,
                                                 bool fusion, int threads) {
  Cell cell;
  cell.row = NewRow(plan, fusion, threads);
  services_.progress->NextRow(absl::StrCat(cell.row.model, " on ",
                                           cell.row.device, ", fusion ",
                                           fusion ? "on" : "off"));
  const Compiled& compiled = Compile(plan, fusion, threads);
  // All that has an influence on the row, as far as it is known by now.
  cell.name = cell.row.reproduce;
  absl::Status status = compiled.artifact.status();
  if (status.ok()) {
    cell.artifact = &*compiled.artifact;
    cell.row.artifact_digest = runtime::Digest(*cell.artifact);
    absl::StrAppend(&cell.name, " artifact=", cell.row.artifact_digest);
    const reports::Row* recorded =
        log_ == nullptr ? nullptr : log_->Find(cell.name);
    if (recorded != nullptr) {
      cell.row = *recorded;
      return cell;
    }
    status = FindAnswers(plan);
  }
  if (!status.ok()) {
    if (ExitCodeOf(status) == ExitCode::kUsage) return status;
  } else {
    cell.row.compile_ms = compiled.ms;
    status = Check(plan, threads, &cell);
  }
  if (!status.ok()) {
    Fail(status, &cell.row);
    cell.session = nullptr;
  }
  return cell;
}

// The right answers are the same for every row.
absl::Status ModelRun::FindAnswers(const DevicePlan& plan) {
  for (Example& example : ExamplesFor(plan)) {
    if (!example.answer.empty()) continue;
    ASSAY_ASSIGN_OR_RETURN(example.answer, FindAnswer(example.inputs));
    if (asked_reference_) continue;
    asked_reference_ = true;
    const absl::Status asked = AskReference();
    if (!asked.ok()) {
      absl::StrAppend(&remarks_, model_.name, ": not checked against ",
                      kReferenceName, ": ", asked.message(), "\n");
    }
  }
  return absl::OkStatus();
}

absl::Span<Example> ModelRun::ExamplesFor(const DevicePlan& plan) {
  const size_t count = devices::IsEmulated(plan.device) ? 1 : examples_.size();
  return absl::MakeSpan(examples_).first(count);
}

// Of the other runtime, which is faster, once it was found to be right.
absl::StatusOr<runtime::NamedTensors> ModelRun::FindAnswer(
    const runtime::NamedTensors& inputs) {
  if (reference_agrees_) {
    ASSAY_ASSIGN_OR_RETURN(
        const std::unique_ptr<Session> session,
        services_.reference->load(model_, inputs, kAllThreads));
    return session->Evaluate();
  }
  services_.progress->Step("interpreting, for the right answer");
  return services_.oracle->Reference(model_, inputs);
}

// Whether the other runtime agrees.
absl::Status ModelRun::AskReference() {
  ASSAY_RETURN_IF_ERROR(services_.reference.status());
  const ReferenceRuntime& runtime = *services_.reference;
  services_.progress->Step(absl::StrCat("asking ", runtime.name));
  ASSAY_ASSIGN_OR_RETURN(
      const std::unique_ptr<Session> session,
      runtime.load(model_, examples_[0].inputs, kAllThreads));
  ASSAY_ASSIGN_OR_RETURN(const runtime::NamedTensors outputs,
                         session->Evaluate());
  const Accuracy accuracy =
      CheckOutputs(outputs, examples_[0].answer, model_.detections);
  if (!accuracy.correct) {
    contradiction_ =
        absl::StrCat(runtime.name, " gives another answer: ", accuracy.problem);
    return absl::OkStatus();
  }
  reference_agrees_ = true;
  absl::StrAppendFormat(
      &remarks_, "%s: the interpreter and %s agree, max|err| %.1e%s\n",
      model_.name, runtime.name, accuracy.max_abs_error,
      accuracy.remark.empty() ? "" : absl::StrCat("; ", accuracy.remark));
  return absl::OkStatus();
}

// Loads, runs on every example and compares. Leaves a session only with a sound
// answer.
absl::Status ModelRun::Check(const DevicePlan& plan, int threads, Cell* cell) {
  reports::Row& row = cell->row;
  row.kernels = static_cast<int>(cell->artifact->calls.size());
  for (const runtime::KernelCall& call : cell->artifact->calls) {
    row.flops += call.flops;
  }
  row.arena_bytes = cell->artifact->arena_bytes;
  const auto live = cell->artifact->metadata.find(runtime::kMetaLiveBytes);
  if (live != cell->artifact->metadata.end()) {
    (void)absl::SimpleAtoi(live->second, &row.live_bytes);
  }
  // Nobody knows which of the two is right, so nothing is.
  if (!contradiction_.empty()) {
    CallWrong(contradiction_, &row);
    return absl::OkStatus();
  }
  services_.progress->Step("checking the output");
  const absl::Span<const Example> examples = ExamplesFor(plan);
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<Session> session,
      plan.runner->Load(*cell->artifact, examples[0].inputs, threads));
  cell->session = std::make_unique<CheckedSession>(std::move(session), examples,
                                                   model_.detections);
  ASSAY_ASSIGN_OR_RETURN(const Accuracy accuracy, cell->session->Examine());
  row.threads = cell->session->threads();
  row.reproduce =
      ReproduceCommand(source_, options_, plan.flag, row.fusion, row.threads,
                       TimingFor(options_, plan.device));
  row.max_abs_error = accuracy.max_abs_error;
  row.max_abs_error_bound = accuracy.bound;
  if (!accuracy.correct) {
    CallWrong(accuracy.problem, &row);
    cell->session = nullptr;
  } else if (!accuracy.remark.empty()) {
    absl::StrAppend(&remarks_, Label(row), accuracy.remark, "\n");
  }
  return absl::OkStatus();
}

void ModelRun::MeasureAll(const DevicePlan& plan, std::vector<Cell>* cells) {
  std::vector<Cell*> sound;
  for (Cell& cell : *cells) {
    if (cell.session != nullptr) sound.push_back(&cell);
  }
  if (sound.empty()) return;
  services_.progress->Step("measuring");
  const absl::Status status = TryMeasure(plan, sound);
  for (Cell* cell : sound) {
    if (status.ok()) {
      Finish(plan, cell);
    } else {
      Fail(status, &cell->row);
    }
  }
  CompareFusion(sound);
}

absl::Status ModelRun::TryMeasure(const DevicePlan& plan,
                                  const std::vector<Cell*>& sound) {
  const devices::TimingPolicy timing = TimingFor(options_, plan.device);
  const std::unique_ptr<Session> reference = LoadReference(plan, *sound[0]);
  // A run under emulation takes so long that it is not repeated in turns.
  if (devices::IsEmulated(plan.device)) {
    for (Cell* cell : sound) {
      ASSAY_ASSIGN_OR_RETURN(Measurement measurement,
                             cell->session->Measure(timing));
      cell->row.samples_ms = std::move(measurement.samples_ms);
    }
    return absl::OkStatus();
  }
  std::vector<Session*> sessions;
  for (const Cell* cell : sound) sessions.push_back(cell->session.get());
  std::function<void()> settle;
  if (reference != nullptr) {
    sessions.push_back(reference.get());
    if (sound[0]->row.threads > 1) settle = services_.reference->settle;
  }
  ASSAY_ASSIGN_OR_RETURN(
      std::vector<std::vector<double>> samples_ms,
      MeasureInTurns(sessions, timing, options_.seed, settle));
  for (size_t i = 0; i < sound.size(); ++i) {
    sound[i]->row.samples_ms = std::move(samples_ms[i]);
    if (reference != nullptr) CompareWithReference(samples_ms.back(), sound[i]);
  }
  return absl::OkStatus();
}

// For --reference; null where that was not given, or with a remark why it
// cannot be had.
std::unique_ptr<Session> ModelRun::LoadReference(const DevicePlan& plan,
                                                 const Cell& cell) {
  if (options_.reference.empty()) return nullptr;
  absl::StatusOr<std::unique_ptr<Session>> session =
      absl::UnimplementedError("the times of an emulator mean nothing");
  if (!devices::IsEmulated(plan.device)) {
    if (services_.reference.ok()) {
      session = services_.reference->load(model_, examples_[0].inputs,
                                          cell.row.threads);
    } else {
      session = services_.reference.status();
    }
  }
  if (session.ok()) return *std::move(session);
  absl::StrAppend(&remarks_, Label(cell.row), "not compared with ",
                  options_.reference, ": ", session.status().message(), "\n");
  return nullptr;
}

void ModelRun::CompareWithReference(const std::vector<double>& theirs,
                                    Cell* cell) {
  if (theirs.empty() || cell->row.samples_ms.empty()) return;
  const stats::Summary our = *reports::Timing(cell->row);
  const stats::Summary their = stats::Summarize(theirs);
  cell->row.speedup_vs_reference = their.median / our.median;
  absl::StrAppend(
      &remarks_, Label(cell->row),
      absl::StrFormat("%.3f times as fast as %s by medians (%.3f and %.3f ms), "
                      "%.3f by fastest samples\n",
                      *cell->row.speedup_vs_reference,
                      services_.reference->name, our.median, their.median,
                      their.min / our.min));
}

void ModelRun::Finish(const DevicePlan& plan, Cell* cell) {
  reports::Row& row = cell->row;
  if (row.samples_ms.empty()) {
    return Fail(absl::InternalError("the device returned no samples"), &row);
  }
  if (!cell->session->problem().empty()) {
    return CallWrong(cell->session->problem(), &row);
  }
  Judge(&row);
  Confirm(plan, cell);
  if (row.samples_ms.empty()) return;
  if (!options_.per_op || row.emulated) return;
  const int rounds = std::max(1, TimingFor(options_, plan.device).repeat());
  const absl::StatusOr<Profile> profile =
      ProfileCalls(cell->session.get(), rounds);
  if (!profile.ok()) return Fail(profile.status(), &row);
  row.operators_whole_ms = profile->whole_ms;
  for (size_t i = 0; i < profile->call_ms.size(); ++i) {
    const runtime::KernelCall& call = cell->artifact->calls[i];
    row.operators.push_back({call.symbol, call.kind, call.sources,
                             profile->call_ms[i], call.flops, call.bytes});
  }
}

// Where both were timed, in turns.
void ModelRun::CompareFusion(const std::vector<Cell*>& sound) const {
  reports::Row* on = nullptr;
  const reports::Row* off = nullptr;
  for (Cell* cell : sound) {
    if (cell->row.samples_ms.empty() || cell->row.emulated) continue;
    if (cell->row.fusion) on = &cell->row;
    if (!cell->row.fusion) off = &cell->row;
  }
  if (on == nullptr || off == nullptr) return;
  on->speedup_vs_unfused =
      reports::Timing(*off)->median / reports::Timing(*on)->median;
}

}  // namespace assay::suites
