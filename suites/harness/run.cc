#include "suites/harness/run.h"

#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "devices/device.h"
#include "reports/baseline/baseline.h"
#include "reports/render/attribution_table.h"
#include "reports/render/format.h"
#include "reports/render/results_json.h"
#include "reports/render/table.h"
#include "reports/stats/compare.h"
#include "reports/stats/summary.h"
#include "reports/store/run_log.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/environment.h"
#include "suites/harness/model_run.h"

namespace assay::suites {
namespace {

class SuiteRun {
 public:
  SuiteRun(const Options& options, Services& services)
      : options_(options), services_(services) {}

  absl::StatusOr<Outcome> Run() {
    ASSAY_RETURN_IF_ERROR(Prepare());
    for (const ModelSource& source : sources_) {
      const absl::Status status = RunModel(source);
      // One model is all there is.
      if (!status.ok() && sources_.size() == 1) return status;
      if (!status.ok()) NoteFailure(source, status);
    }
    services_.progress->Clear();
    if (outcome_.result.rows.empty() && failures_.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`--cells` matches none of the ", cells_,
          " cells, whose names are like `resnet18/host/fusion_on/threads_2`"));
    }
    if (log_ != nullptr) ASSAY_RETURN_IF_ERROR(log_->Finish());
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
  absl::Status OpenStore();
  absl::Status RunModel(const ModelSource& source);
  void NoteFailure(const ModelSource& source, const absl::Status& status);
  absl::Status Keep(const std::string& cell, reports::Row row,
                    const runtime::Artifact* artifact);
  void Print();
  absl::Status Bless();
  absl::Status BlessSuite(const std::string& suite, int* blessed);
  void Conclude();

  // Other formats are for programs, who want nothing beside them.
  bool ForPeople() const { return options_.format == reports::Format::kTable; }

  std::string BaselinePathOf(const std::string& suite) const {
    return reports::BaselinePath(baseline_folder_, suite,
                                 services_.environment.fingerprint);
  }

  const Options& options_;
  Services& services_;

  std::vector<DevicePlan> plans_;
  std::vector<ModelSource> sources_;
  int64_t cells_ = 0;
  std::string baseline_folder_;  // empty if there is none
  std::map<std::string, reports::Baseline> baselines_;  // by suite
  reports::RunResult against_;
  std::unique_ptr<reports::RunLog> log_;  // null without --store
  // Of measuring side by side: what rows did not need of their budgets.
  double budget_left_s_ = 0;
  // Lines below the table.
  std::string remarks_;
  std::string failures_;
  std::optional<ExitCode> worst_failure_;
  Outcome outcome_;
};

absl::Status SuiteRun::Prepare() {
  // Everything the user can have got wrong comes before anything slow.
  ASSAY_RETURN_IF_ERROR(LoadDevices());
  ASSAY_ASSIGN_OR_RETURN(sources_, services_.models(options_));
  CHECK(!sources_.empty());
  baseline_folder_ =
      options_.baseline.empty() ? services_.baseline_folder : options_.baseline;
  for (const ModelSource& source : sources_) {
    ASSAY_RETURN_IF_ERROR(LoadBaseline(source.suite));
  }
  ASSAY_RETURN_IF_ERROR(LoadAgainst());
  for (const std::string& folder : {options_.out, options_.dump_dir}) {
    if (!folder.empty()) ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  }
  outcome_.result.started_at = services_.started_at;
  outcome_.result.commit = services_.commit;
  outcome_.result.environment = services_.environment;
  if (!options_.store.empty()) ASSAY_RETURN_IF_ERROR(OpenStore());
  for (const DevicePlan& plan : plans_) {
    cells_ += static_cast<int64_t>(plan.threads.size() *
                                   options_.fusion.size() * sources_.size());
  }
  services_.progress->Start(static_cast<int>(cells_));
  return absl::OkStatus();
}

absl::Status SuiteRun::LoadDevices() {
  bool any_real = false;
  for (const std::string& flag : options_.devices) {
    DevicePlan plan;
    plan.flag = flag;
    ASSAY_ASSIGN_OR_RETURN(plan.device,
                           devices::LoadDevice(flag, services_.devices_folder));
    ASSAY_ASSIGN_OR_RETURN(plan.runner, services_.make_runner(plan.device));
    plan.threads = options_.threads;
    if (plan.threads.empty()) {
      plan.threads.push_back(plan.device.default_threads());
    }
    any_real |= !devices::IsEmulated(plan.device);
    plans_.push_back(std::move(plan));
  }
  if (options_.blessing() && !any_real) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--bless` with nothing but the emulated device `",
        plans_[0].device.name(), "`: an emulator's times are no baseline"));
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::LoadBaseline(const std::string& suite) {
  if (baseline_folder_.empty()) {
    if (!options_.blessing()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "`--bless` does not know the workspace's folder; start the suite with "
        "`bazel run`, or give `--baseline`");
  }
  ASSAY_ASSIGN_OR_RETURN(baselines_[suite],
                         reports::ReadBaseline(BaselinePathOf(suite)));
  return absl::OkStatus();
}

absl::Status SuiteRun::LoadAgainst() {
  if (options_.against.empty()) return absl::OkStatus();
  const std::string path = JoinPath(options_.against, "results.json");
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  absl::StatusOr<reports::RunResult> result = reports::ParseResultsJson(text);
  if (!result.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "`: ", result.status().message()));
  }
  against_ = *std::move(result);
  const reports::Environment& then = against_.environment;
  const reports::Environment& now = services_.environment;
  if (then.fingerprint != now.fingerprint) {
    absl::StrAppend(&remarks_, "`", options_.against,
                    "` is of another machine, ", then.fingerprint,
                    "; both are measured on this one\n");
  } else if (ComparableState(then) != ComparableState(now)) {
    absl::StrAppend(
        &remarks_, "this machine changed since `", options_.against,
        "`: ", StateChanges(ComparableState(then), ComparableState(now)),
        "; both are measured now\n");
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::OpenStore() {
  const std::string job = Sha256Hex(
      absl::StrCat(services_.command, "\n", services_.environment.fingerprint,
                   "\n", ComparableState(services_.environment)));
  ASSAY_ASSIGN_OR_RETURN(
      log_, reports::RunLog::Open(options_.store, job, outcome_.result,
                                  options_.resume));
  outcome_.result.started_at = log_->started_at();
  if (log_->recorded() > 0) {
    absl::StrAppend(&remarks_, "continues the run of ", log_->started_at(),
                    ", which had recorded ", log_->recorded(),
                    log_->recorded() == 1 ? " row\n" : " rows\n");
  } else if (options_.resume) {
    absl::StrAppend(&remarks_, "there was no run to continue\n");
  }
  for (const reports::CorruptRecord& record : log_->corrupt_records()) {
    absl::StrAppend(&remarks_, "`", options_.store,
                    "`: ", reports::Describe(record), "\n");
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::RunModel(const ModelSource& source) {
  ModelRun run(options_, services_, source, baselines_[source.suite], against_,
               log_.get(), cells_, /*one_of_several=*/sources_.size() > 1,
               &outcome_.result.canary, &budget_left_s_,
               [this](const std::string& cell, reports::Row row,
                      const runtime::Artifact* artifact) {
                 return Keep(cell, std::move(row), artifact);
               });
  absl::Status status = run.Load();
  for (const DevicePlan& plan : plans_) {
    if (status.ok()) status = run.RunOn(plan);
  }
  absl::StrAppend(&remarks_, run.remarks());
  return status;
}

void SuiteRun::NoteFailure(const ModelSource& source,
                           const absl::Status& status) {
  std::string name = source.suite;
  for (const auto& [flag, value] : source.flags) {
    absl::StrAppend(&name, " --", flag, "=", value);
  }
  absl::StrAppend(&failures_, "error: ", name, ": ", status.message(), "\n");
  const ExitCode code = ExitCodeOf(status);
  worst_failure_ = WorseOf(worst_failure_.value_or(code), code);
}

absl::Status SuiteRun::Keep(const std::string& cell, reports::Row row,
                            const runtime::Artifact* artifact) {
  if (log_ != nullptr && log_->Find(cell) == nullptr) {
    ASSAY_RETURN_IF_ERROR(log_->Append(cell, row, outcome_.result.canary));
  }
  if (artifact != nullptr && options_.keep_artifacts) {
    ASSAY_RETURN_IF_ERROR(
        runtime::ArtifactStore(ArtifactFolder(options_.out)).Put(*artifact));
  }
  if (artifact != nullptr && options_.blessing() && !row.emulated &&
      !services_.artifact_folder.empty()) {
    ASSAY_RETURN_IF_ERROR(
        runtime::ArtifactStore(services_.artifact_folder).Put(*artifact));
  }
  outcome_.result.rows.push_back(std::move(row));
  if (options_.out.empty()) return absl::OkStatus();
  constexpr std::pair<const char*, reports::Format> kFiles[] = {
      {"results.json", reports::Format::kJson},
      {"results.csv", reports::Format::kCsv},
      {"results.xml", reports::Format::kJUnit},
      {"summary.md", reports::Format::kMarkdown},
  };
  for (const auto& [name, format] : kFiles) {
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(options_.out, name),
                        reports::Render(outcome_.result, format)));
  }
  return absl::OkStatus();
}

void SuiteRun::Print() {
  std::ostream& out = *services_.out;
  out << reports::Render(outcome_.result, options_.format);
  if (!ForPeople()) return;
  for (const std::string* text : {&remarks_, &failures_}) {
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
  if (!options_.blessing()) return absl::OkStatus();
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
    const std::optional<stats::Summary> timing = reports::Timing(row);
    if (row.emulated || !timing.has_value() ||
        timing->count < stats::kMinSamples) {
      continue;
    }
    reports::BaselineRow base;
    base.key = KeyOf(row);
    base.timing = *timing;
    base.model_digest = row.model_digest;
    base.artifact_digest = row.artifact_digest;
    base.state = ComparableState(services_.environment);
    base.sample_digest = reports::SampleDigest(row.samples_ms);
    base.commit = outcome_.result.commit;
    base.program_digest = services_.program_digest;
    base.command = row.reproduce;
    base.blessed_at = services_.started_at;
    base.reason = options_.bless;
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
  if (any_without_baseline && !options_.blessing() && ForPeople()) {
    *services_.out << "\nno_baseline: nothing is stored for this machine ("
                   << services_.environment.fingerprint
                   << "); `--bless` stores these times\n";
  }
  if (!options_.out.empty() && ForPeople()) {
    *services_.out << "\nresults: " << JoinPath(options_.out, "results.json")
                   << ", results.csv, results.xml and summary.md\n";
  }
  ExitRules rules;
  rules.require_baseline = options_.require_baseline;
  rules.must_judge = !options_.against.empty();
  rules.blessing = options_.blessing();
  outcome_.exit_code = ExitCodeOf(outcome_.result, rules);
  if (worst_failure_.has_value()) {
    outcome_.exit_code = WorseOf(outcome_.exit_code, *worst_failure_);
  }
}

}  // namespace

absl::StatusOr<Outcome> RunSuite(const Options& options, Services& services) {
  return SuiteRun(options, services).Run();
}

}  // namespace assay::suites
