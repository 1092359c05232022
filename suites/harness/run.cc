#include "suites/harness/run.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "devices/device.h"
#include "reports/baseline/baseline.h"
#include "reports/render/attribution_table.h"
#include "reports/render/format.h"
#include "reports/render/table.h"
#include "reports/stats/compare.h"
#include "reports/stats/summary.h"
#include "reports/store/run_log.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/exit_rules.h"
#include "suites/harness/model_run.h"
#include "suites/machine/environment.h"
#include "suites/tensors/tensor_files.h"

namespace assay::suites {
namespace {

// Names the boards of a farm that measured the rows.
std::string BoardRemarks(const reports::RunResult& result) {
  std::map<std::string, std::set<std::string>> boards;  // by device
  for (const reports::Row& row : result.rows) {
    if (!row.board.empty()) boards[row.cell.device].insert(row.board);
  }
  std::string remarks;
  for (const auto& [device, names] : boards) {
    absl::StrAppend(&remarks, device, ": measured on ",
                    names.size() == 1 ? "the board " : "the boards ",
                    absl::StrJoin(names, ", "), "\n");
  }
  return remarks;
}

class SuiteRun {
 public:
  SuiteRun(const Options& options, const Services& services)
      : options_(options), services_(services) {}

  absl::StatusOr<Outcome> Run() {
    ASSAY_RETURN_IF_ERROR(Prepare());
    for (const ModelSource& source : sources_) {
      const absl::Status status = RunModel(source);
      // With a single model, its error is the error of the run.
      if (!status.ok() && sources_.size() == 1) return status;
      if (!status.ok()) NoteFailure(source, status);
    }
    services_.progress->Clear();
    if (!options_.output.outputs.empty() && !state_.wrote_outputs) {
      absl::StrAppend(&state_.remarks, "no outputs were written to `",
                      options_.output.outputs,
                      "`, because no program ran in this process\n");
    }
    if (outcome_.result.rows.empty() && failures_.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`--cells` matches none of the ", state_.cells,
          " cells, whose names are like `resnet18/host/fusion_on/threads_2`"));
    }
    if (state_.log != nullptr) ASSAY_RETURN_IF_ERROR(state_.log->Finish());
    Print();
    ASSAY_RETURN_IF_ERROR(Bless());
    Conclude();
    return std::move(outcome_);
  }

 private:
  absl::Status Prepare();
  absl::Status LoadDevices();
  absl::Status LoadBaseline(const std::string& suite);
  absl::Status LoadAgainst();
  absl::Status PrepareOutputs() const;
  absl::Status OpenStore();
  absl::Status RunModel(const ModelSource& source);
  void NoteFailure(const ModelSource& source, const absl::Status& status);
  absl::Status Keep(Cell cell);
  absl::Status KeepArtifact(const Cell& cell) const;
  void Print();
  absl::Status Bless();
  absl::Status BlessSuite(const std::string& suite, int* blessed);
  void Conclude();

  // Returns false for machine-readable formats, which allow no other output.
  bool ForPeople() const {
    return options_.output.format == reports::Format::kTable;
  }

  std::string BaselinePathOf(const std::string& suite) const {
    return reports::BaselinePath(baseline_folder_, suite,
                                 state_.environment.fingerprint);
  }

  const Options& options_;
  const Services& services_;

  std::vector<DevicePlan> plans_;
  std::vector<ModelSource> sources_;
  std::string baseline_folder_;  // empty if there is none
  std::map<std::string, reports::Baseline> baselines_;  // by suite
  RunState state_;
  // Messages about models that failed, printed below the table.
  std::string failures_;
  std::optional<ExitCode> worst_failure_;
  Outcome outcome_;
};

absl::Status SuiteRun::Prepare() {
  // Detect user errors before any slow step.
  ASSAY_RETURN_IF_ERROR(LoadDevices());
  ASSAY_ASSIGN_OR_RETURN(sources_, services_.models(options_));
  CHECK(!sources_.empty());
  state_.several_models = sources_.size() > 1;
  baseline_folder_ = options_.comparison.baseline.empty()
                         ? services_.folders.baselines
                         : options_.comparison.baseline;
  for (const ModelSource& source : sources_) {
    ASSAY_RETURN_IF_ERROR(LoadBaseline(source.suite));
  }
  ASSAY_RETURN_IF_ERROR(LoadAgainst());
  ASSAY_RETURN_IF_ERROR(PrepareOutputs());
  for (const std::string& folder :
       {options_.output.out, options_.compile.dump_dir}) {
    if (!folder.empty()) ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  }
  outcome_.result.started_at = services_.identity.started_at;
  outcome_.result.commit = services_.identity.commit;
  outcome_.result.environment = state_.environment;
  if (!options_.output.store.empty()) ASSAY_RETURN_IF_ERROR(OpenStore());
  for (const DevicePlan& plan : plans_) {
    state_.cells += static_cast<int64_t>(
        plan.threads.size() * options_.matrix.fusion.size() * sources_.size());
  }
  services_.progress->Start(static_cast<int>(state_.cells));
  return absl::OkStatus();
}

absl::Status SuiteRun::LoadDevices() {
  bool any_real = false;
  for (const std::string& flag : options_.matrix.devices) {
    DevicePlan plan;
    plan.flag = flag;
    ASSAY_ASSIGN_OR_RETURN(
        plan.device, devices::LoadDevice(flag, services_.folders.devices));
    ASSAY_ASSIGN_OR_RETURN(plan.runner,
                           services_.tools.make_runner(plan.device));
    plan.threads = options_.matrix.threads;
    if (plan.threads.empty()) {
      plan.threads.push_back(plan.device.default_threads());
    }
    const runtime::DeviceFacts facts = plan.runner->facts();
    // A tracker can lend the board that the device file emulates.
    if (!facts.board.empty() &&
        devices::IsEmulated(plan.device) != facts.emulated) {
      if (facts.emulated) plan.device.mutable_emulator();
      if (!facts.emulated) plan.device.mutable_in_process();
    }
    if (plans_.empty() || (!any_real && !facts.emulated)) {
      state_.environment = EnvironmentOf(facts);
    }
    any_real |= !facts.emulated;
    plans_.push_back(std::move(plan));
  }
  if (options_.comparison.blessing() && !any_real) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--bless` with nothing but the emulated device `",
        plans_[0].device.name(), "`: an emulator's times are no baseline"));
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::LoadBaseline(const std::string& suite) {
  if (baseline_folder_.empty()) {
    if (!options_.comparison.blessing()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "`--bless` does not know the workspace's folder; start the suite with "
        "`bazel run`, or give `--baseline`");
  }
  ASSAY_ASSIGN_OR_RETURN(baselines_[suite],
                         reports::ReadBaseline(BaselinePathOf(suite)));
  return absl::OkStatus();
}

absl::Status SuiteRun::LoadAgainst() {
  if (options_.comparison.against.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(state_.against,
                         ReadResults(options_.comparison.against));
  const reports::Environment& then = state_.against.environment;
  const reports::Environment& now = state_.environment;
  if (then.fingerprint != now.fingerprint) {
    absl::StrAppend(&state_.remarks, "`", options_.comparison.against,
                    "` is of another machine, ", then.fingerprint,
                    "; both are measured on this one\n");
  } else if (ComparableState(then) != ComparableState(now)) {
    absl::StrAppend(&state_.remarks, "this machine changed since `",
                    options_.comparison.against, "`: ",
                    StateChanges(ComparableState(then), ComparableState(now)),
                    "; both are measured now\n");
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::PrepareOutputs() const {
  if (options_.output.outputs.empty()) return absl::OkStatus();
  if (sources_.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--outputs` is for the outputs of one model, but the run "
                     "has ",
                     sources_.size(),
                     "; select one, for example by "
                     "`--variant`"));
  }
  return suites::PrepareOutputs(options_.output.outputs);
}

absl::Status SuiteRun::OpenStore() {
  const std::string job = Sha256Hex(absl::StrCat(
      services_.identity.command, "\n", state_.environment.fingerprint, "\n",
      ComparableState(state_.environment)));
  ASSAY_ASSIGN_OR_RETURN(
      state_.log,
      reports::RunLog::Open(options_.output.store, job, outcome_.result,
                            options_.output.resume));
  outcome_.result.started_at = state_.log->started_at();
  if (state_.log->recorded() > 0) {
    absl::StrAppend(&state_.remarks, "continues the run of ",
                    state_.log->started_at(), ", which had recorded ",
                    state_.log->recorded(),
                    state_.log->recorded() == 1 ? " row\n" : " rows\n");
  } else if (options_.output.resume) {
    absl::StrAppend(&state_.remarks, "there was no run to continue\n");
  }
  for (const reports::CorruptRecord& record : state_.log->corrupt_records()) {
    absl::StrAppend(&state_.remarks, "`", options_.output.store,
                    "`: ", reports::Describe(record), "\n");
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::RunModel(const ModelSource& source) {
  ModelRun run(options_, services_, source, baselines_[source.suite], &state_,
               [this](Cell cell) { return Keep(std::move(cell)); });
  ASSAY_RETURN_IF_ERROR(run.Load());
  for (const DevicePlan& plan : plans_) {
    ASSAY_RETURN_IF_ERROR(run.RunOn(plan));
  }
  return absl::OkStatus();
}

void SuiteRun::NoteFailure(const ModelSource& source,
                           const absl::Status& status) {
  std::string name = source.suite;
  for (const auto& [flag, value] : source.flags) {
    absl::StrAppend(&name, " --", flag, "=", value);
  }
  absl::StrAppend(&failures_, "error: ", name, ": ", status.message(), "\n");
  const ExitCode code = ExitCodeOf(status);
  worst_failure_ = MoreSevere(worst_failure_.value_or(code), code);
}

absl::Status SuiteRun::Keep(Cell cell) {
  outcome_.result.canary = state_.canary;
  if (state_.log != nullptr && state_.log->Find(cell.name) == nullptr) {
    ASSAY_RETURN_IF_ERROR(
        state_.log->Append(cell.name, cell.row, state_.canary));
  }
  if (cell.artifact != nullptr) ASSAY_RETURN_IF_ERROR(KeepArtifact(cell));
  outcome_.result.rows.push_back(std::move(cell.row));
  if (options_.output.out.empty()) return absl::OkStatus();
  constexpr std::pair<const char*, reports::Format> kFiles[] = {
      {"results.json", reports::Format::kJson},
      {"results.csv", reports::Format::kCsv},
      {"results.xml", reports::Format::kJUnit},
      {"summary.md", reports::Format::kMarkdown},
  };
  for (const auto& [name, format] : kFiles) {
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(options_.output.out, name),
                        reports::Render(outcome_.result, format)));
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::KeepArtifact(const Cell& cell) const {
  if (options_.output.keep_artifacts) {
    ASSAY_RETURN_IF_ERROR(
        runtime::ArtifactStore(ArtifactFolder(options_.output.out))
            .Put(*cell.artifact));
  }
  if (!options_.comparison.blessing() || cell.row.emulated ||
      services_.folders.artifacts.empty()) {
    return absl::OkStatus();
  }
  return runtime::ArtifactStore(services_.folders.artifacts)
      .Put(*cell.artifact);
}

void SuiteRun::Print() {
  std::ostream& out = *services_.out;
  out << reports::Render(outcome_.result, options_.output.format);
  if (!ForPeople()) return;
  if (services_.tools.device_remarks != nullptr) {
    state_.remarks += services_.tools.device_remarks();
  }
  state_.remarks += BoardRemarks(outcome_.result);
  for (const std::string* text : {&state_.remarks, &failures_}) {
    if (!text->empty()) out << "\n" << *text;
  }
  for (const reports::Row& row : outcome_.result.rows) {
    for (const std::string& table :
         {reports::AttributionTable(row), reports::OperatorTable(row)}) {
      if (!table.empty()) out << "\n" << table;
    }
  }
}

absl::Status SuiteRun::Bless() {
  if (!options_.comparison.blessing()) return absl::OkStatus();
  int blessed = 0;
  for (const auto& [suite, baseline] : baselines_) {
    ASSAY_RETURN_IF_ERROR(BlessSuite(suite, &blessed));
  }
  if (blessed == 0 && ForPeople()) *services_.out << "\nnothing to bless\n";
  return absl::OkStatus();
}

absl::Status SuiteRun::BlessSuite(const std::string& suite, int* blessed) {
  reports::Baseline rows;
  size_t all = 0;
  for (const reports::Row& row : outcome_.result.rows) {
    if (row.suite != suite) continue;
    ++all;
    const std::optional<stats::Summary> timing = reports::LatencySummary(row);
    if (row.emulated || !timing.has_value() ||
        timing->count < stats::kMinSamples) {
      continue;
    }
    reports::BaselineRow base;
    base.key = row.cell;
    base.timing = *timing;
    base.model_digest = row.build.model_digest;
    base.artifact_digest = row.build.artifact_digest;
    base.state = ComparableState(state_.environment);
    base.sample_digest = reports::SampleDigest(row.timing.samples_ns);
    base.commit = outcome_.result.commit;
    base.program_digest = services_.identity.program_digest;
    base.command = row.reproduce;
    base.blessed_at = services_.identity.started_at;
    base.reason = options_.comparison.bless;
    rows.push_back(std::move(base));
  }
  if (rows.empty()) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(reports::UpdateBaseline(BaselinePathOf(suite), rows));
  if (ForPeople()) {
    *services_.out << "\nblessed " << rows.size() << " of " << all
                   << " rows in `" << BaselinePathOf(suite) << "`\n";
  }
  *blessed += static_cast<int>(rows.size());
  return absl::OkStatus();
}

void SuiteRun::Conclude() {
  bool any_without_baseline = false;
  for (const reports::Row& row : outcome_.result.rows) {
    any_without_baseline |= row.verdict == stats::Verdict::kNoBaseline;
  }
  // Times of given inputs have no baseline, because they cannot be blessed.
  if (any_without_baseline && !options_.comparison.blessing() &&
      options_.model.all_inputs_seeded() && ForPeople()) {
    *services_.out << "\nno_baseline: nothing is stored for this machine ("
                   << state_.environment.fingerprint
                   << "); `--bless` stores these times\n";
  }
  if (!options_.output.out.empty() && ForPeople()) {
    *services_.out << "\nresults: "
                   << JoinPath(options_.output.out, "results.json")
                   << ", results.csv, results.xml and summary.md\n";
  }
  ExitRules rules;
  rules.require_baseline = options_.comparison.require_baseline;
  rules.must_judge = !options_.comparison.against.empty();
  rules.blessing = options_.comparison.blessing();
  outcome_.exit_code = ExitCodeOfRun(outcome_.result, rules);
  if (worst_failure_.has_value()) {
    outcome_.exit_code = MoreSevere(outcome_.exit_code, *worst_failure_);
  }
}

}  // namespace

absl::StatusOr<Outcome> RunSuite(const Options& options,
                                 const Services& services) {
  return SuiteRun(options, services).Run();
}

}  // namespace assay::suites
