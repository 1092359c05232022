#include "suites/harness/run.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "reports/factorial/explain.h"
#include "reports/render/attribution_table.h"
#include "reports/render/format.h"
#include "reports/render/table.h"
#include "reports/result/run_folder.h"
#include "reports/store/newest_builds.h"
#include "reports/store/postgres/publisher.h"
#include "runtime/base/file.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/bless.h"
#include "suites/harness/cell_filter.h"
#include "suites/harness/exit_rules.h"
#include "suites/harness/job_list.h"
#include "suites/harness/model_run.h"
#include "suites/harness/plan.h"
#include "suites/harness/scheduler.h"
#include "suites/tensors/tensor_files.h"

namespace assay::suites {
namespace {

// --follow looks for the newest row of a cell in the runs of these days.
constexpr int kDaysToFollow = 92;

// Names the boards of a farm that measured the rows.
std::string BoardNotes(const reports::RunResult& result) {
  std::map<std::string, std::set<std::string>> boards;  // by device
  for (const reports::Row& row : result.rows) {
    if (!row.board.empty()) boards[row.cell.device].insert(row.board);
  }
  std::string notes;
  for (const auto& [device, names] : boards) {
    absl::StrAppend(&notes, device, ": measured on ",
                    names.size() == 1 ? "the board " : "the boards ",
                    absl::StrJoin(names, ", "), "\n");
  }
  return notes;
}

absl::Status PrepareFolders(const Options& options, size_t models) {
  const std::string& outputs = options.output.outputs;
  if (!outputs.empty() && models > 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--outputs` is for the outputs of one model, but the run has ", models,
        "; select one, for example by `--variant`"));
  }
  if (!outputs.empty()) ASSAY_RETURN_IF_ERROR(PrepareOutputs(outputs));
  for (const std::string& folder :
       {options.output.out, options.compile.dump_dir}) {
    if (!folder.empty()) ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  }
  return absl::OkStatus();
}

// The models of a run. Each is loaded when its first job runs, and released
// after its last one. Thread-safe.
class RunModels {
 public:
  RunModels(const Options& options, const Plan& plan, const Stages& stages,
            const Experts& experts, Recorder& recorder)
      : options_(options),
        plan_(plan),
        stages_(stages),
        experts_(experts),
        recorder_(recorder),
        jobs_(static_cast<int>(plan.models.size()), ThreadsOf(plan)),
        models_(plan.models.size()) {}

  JobList& jobs() { return jobs_; }
  // The first error that ended the rows of a model.
  const absl::Status& status(size_t model) const {
    return models_[model].status;
  }

  // Runs a job (Scheduler::RunJob).
  bool Run(const Job& job, Slot* slot) {
    if (!HasCells(job, slot->device)) {
      Close(job, absl::OkStatus());
      return true;
    }
    absl::StatusOr<ModelRun*> run = Open(job.model);
    absl::Status status = run.status();
    if (status.ok()) {
      absl::StatusOr<JobResult> result = (*run)->Run(
          job, plan_.variants[job.device], slot->device, slot->history);
      status = result.status();
      if (result.ok()) {
        slot->history = result->session.history;
        const bool gone =
            slot->device.leased() && slot->device.runner->facts().board.empty();
        if (gone && jobs_.GiveBack(job)) return false;
        status = recorder_.Keep(job, *std::move(result));
      }
    }
    Close(job, status);
    return true;
  }

 private:
  struct ModelState {
    std::unique_ptr<ModelRun> run;
    absl::Status status;
  };

  static std::vector<std::vector<int>> ThreadsOf(const Plan& plan) {
    std::vector<std::vector<int>> threads;
    for (const DeviceSlot& slot : plan.devices) threads.push_back(slot.threads);
    return threads;
  }

  // Returns false if --cells is known to select no cell of the job.
  bool HasCells(const Job& job, const DeviceSlot& slot) const {
    const std::string name = PlainText(plan_.models[job.model].name);
    return name.empty() ||
           absl::c_any_of(
               plan_.variants[job.device],
               [&](const reports::Variant& variant) {
                 return MatchesCell(
                     options_.matrix.cells,
                     CellName(name, slot.device.name(), variant, job.threads));
               });
  }

  absl::StatusOr<ModelRun*> Open(int index) {
    const absl::MutexLock lock(&preparation_);
    ModelState& model = models_[index];
    ASSAY_RETURN_IF_ERROR(model.status);
    if (model.run == nullptr) {
      model.run = std::make_unique<ModelRun>(options_, plan_.models[index],
                                             stages_, recorder_, preparation_);
      // Another slot may wait for the mutex: it must not run the model.
      model.status.Update(model.run->Load(experts_));
      ASSAY_RETURN_IF_ERROR(model.status);
    }
    return model.run.get();
  }

  // Ends a job. After an error, the other rows of the model are not measured.
  void Close(const Job& job, const absl::Status& status) {
    const absl::MutexLock lock(&preparation_);
    ModelState& model = models_[job.model];
    if (!status.ok()) {
      model.status.Update(status);
      jobs_.Drop(job.model);
    }
    if (model.run != nullptr) {
      recorder_.KeepNotes(job.model, model.run->notes());
    }
    if (jobs_.Finish(job)) model.run = nullptr;
  }

  const Options& options_;
  const Plan& plan_;
  const Stages stages_;
  const Experts experts_;
  Recorder& recorder_;
  JobList jobs_;
  absl::Mutex preparation_;  // model_run.h; protects models_
  std::vector<ModelState> models_;
};

// Prints the report: in formats for people, with notes and further tables.
void Print(const reports::RunResult& result, const std::string& notes,
           const std::string& failures, reports::Format format,
           std::ostream& out) {
  out << reports::Render(result, format);
  if (format != reports::Format::kTable) return;
  for (const std::string& text : {notes, failures}) {
    if (!text.empty()) out << "\n" << PlainLines(text);
  }
  for (const reports::Row& row : result.rows) {
    for (const std::string& table :
         {reports::AttributionTable(row), reports::OperatorTable(row)}) {
      if (!table.empty()) out << "\n" << table;
    }
  }
  const std::string factors = reports::FactorialText(result);
  if (!factors.empty()) out << "\n" << PlainLines(factors);
}

// Says what to do next, below a report for people.
void PrintHints(const reports::RunResult& result, const Options& options,
                std::ostream& out) {
  bool any_without_baseline = false;
  for (const reports::Row& row : result.rows) {
    any_without_baseline |= row.verdict == stats::Verdict::kNoBaseline;
  }
  // Times of given inputs have no baseline, because they cannot be blessed.
  if (any_without_baseline && !options.comparison.blessing() &&
      options.model.all_inputs_seeded()) {
    out << "\nno_baseline: nothing is stored for this machine ("
        << result.environment.fingerprint
        << "); `--bless` stores these times\n";
  }
  if (!options.output.out.empty()) {
    out << "\nresults: " << JoinPath(options.output.out, "results.json")
        << ", results.csv, results.xml and summary.md\n";
  }
}

// Returns a line about a model whose rows an error ended.
std::string FailureLine(const ModelSource& source, const absl::Status& status) {
  std::string name = source.suite;
  for (const auto& [flag, value] : source.flags) {
    absl::StrAppend(&name, " --", flag, "=", value);
  }
  return absl::StrCat("error: ", name, ": ", status.message(), "\n");
}

}  // namespace

absl::StatusOr<Outcome> RunSuite(const Options& options,
                                 std::vector<ModelSource> models,
                                 const SuiteRig& rig) {
  const DeviceFiles files = {rig.folders.devices, rig.devices};
  ASSAY_ASSIGN_OR_RETURN(
      Plan plan, MakePlan(options, std::move(models), rig.folders.baselines,
                          files, rig.compiler));
  if (options.output.follow) {
    ASSAY_ASSIGN_OR_RETURN(const std::string folder,
                           reports::LocalFolderOf(options.output.store));
    ASSAY_ASSIGN_OR_RETURN(plan.earlier,
                           reports::NewestBuilds::Read(
                               folder, rig.identity.started_at, kDaysToFollow));
    plan.earlier_artifacts = reports::ArtifactFolder(folder);
  }
  ASSAY_RETURN_IF_ERROR(PrepareFolders(options, plan.models.size()));
  const ComparisonOptions& comparison = options.comparison;
  Recorder recorder(options.output, rig.identity,
                    comparison.blessing() ? rig.folders.artifacts : "");
  ASSAY_RETURN_IF_ERROR(recorder.Open(plan.environment, plan.notes));

  const DumpFolder dump = {options.compile.dump_dir, plan.models.size() > 1};
  const ReferenceComparison reference(comparison.reference, rig.reference,
                                      options.timing.seed);
  const CompileStage compile({dump, options.compile.max_memory}, rig.compiler,
                             rig.progress);
  const CheckStage check(plan.environment, rig.progress);
  const TimeStage time(
      {options.timing, comparison.reference.empty() ? nullptr : &reference,
       rig.trace},
      rig.host, rig.progress);
  const JudgeStage judge(
      {comparison, options.timing.seed, options.model.all_inputs_seeded(),
       rig.folders.artifacts, options.output.out, dump},
      plan, rig.host, rig.progress);
  RunModels run(options, plan, {compile, check, time, judge},
                {rig.oracle, rig.reference, rig.progress}, recorder);
  Scheduler scheduler(std::move(plan.devices), files, run.jobs(), rig.progress);
  rig.progress.Start(static_cast<int>(plan.cells));
  scheduler.Run(options.farm.parallel, [&run](const Job& job, Slot* slot) {
    return run.Run(job, slot);
  });
  rig.progress.Clear();

  // With a single model, its error is the error of the run.
  if (plan.models.size() == 1) ASSAY_RETURN_IF_ERROR(run.status(0));
  std::string failures;
  std::optional<ExitCode> worst_failure;
  for (size_t i = 0; i < plan.models.size(); ++i) {
    if (run.status(i).ok()) continue;
    failures += FailureLine(plan.models[i], run.status(i));
    const ExitCode code = ExitCodeOf(run.status(i));
    worst_failure = MoreSevere(worst_failure.value_or(code), code);
  }
  const reports::RunResult& result = recorder.result();
  if (result.rows.empty() && failures.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--cells` matches none of the ", plan.cells,
        " cells, whose names are like `resnet18/host/fusion_on/threads_2`"));
  }
  std::string notes = scheduler.notes();
  if (!options.output.outputs.empty() && !recorder.wrote_outputs()) {
    absl::StrAppend(&notes, "no outputs were written to `",
                    options.output.outputs,
                    "`, because no program ran in this process\n");
  }
  absl::StrAppend(&notes, rig.devices.notes(), BoardNotes(result));
  ASSAY_RETURN_IF_ERROR(recorder.Finish(notes));

  const reports::Format format = options.output.format;
  const bool for_people = format == reports::Format::kTable;
  Print(result, recorder.notes(), failures, format, rig.out);
  if (comparison.blessing()) {
    ASSAY_RETURN_IF_ERROR(Bless(result, plan, rig.identity, comparison,
                                for_people ? &rig.out : nullptr));
  }
  if (for_people) PrintHints(result, options, rig.out);
  ExitRules rules;
  rules.require_baseline = comparison.require_baseline;
  rules.must_judge = !comparison.against.empty();
  rules.blessing = comparison.blessing();
  Outcome outcome = {result, ExitCodeOfRun(result, rules)};
  if (worst_failure.has_value()) {
    outcome.exit_code = MoreSevere(outcome.exit_code, *worst_failure);
  }
  return outcome;
}

}  // namespace assay::suites
