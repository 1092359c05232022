#include "suites/harness/run.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "devices/device.h"
#include "reports/baseline/baseline.h"
#include "reports/render/results_csv.h"
#include "reports/render/results_json.h"
#include "reports/render/table.h"
#include "reports/stats/compare.h"
#include "reports/stats/summary.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/accuracy.h"
#include "suites/harness/environment.h"
#include "suites/harness/in_turns.h"
#include "suites/harness/oracle.h"
#include "suites/harness/reproduce.h"

namespace assay::suites {
namespace {

// A device of the matrix and what is known of it before anything runs.
struct DevicePlan {
  std::string flag;  // as given for --device
  devices::Device device;
  std::unique_ptr<Runner> runner;
  std::vector<int> threads;
};

class SuiteRun {
 public:
  SuiteRun(const SuiteFlags& suite, const Options& options, Services& services)
      : suite_(suite), options_(options), services_(services) {}

  absl::StatusOr<Outcome> Run() {
    ASSAY_RETURN_IF_ERROR(Prepare());
    for (const DevicePlan& plan : plans_) {
      for (const bool fusion : options_.fusion) {
        ASSAY_RETURN_IF_ERROR(RunRows(plan, fusion));
      }
    }
    services_.progress->Clear();
    *services_.out << reports::ResultsTable(outcome_.result);
    if (!comparisons_.empty()) *services_.out << "\n" << comparisons_;
    ASSAY_RETURN_IF_ERROR(Bless());
    Conclude();
    return std::move(outcome_);
  }

 private:
  absl::Status Prepare();
  absl::Status LoadDevices();
  absl::Status LoadBaseline();

  absl::Status RunRows(const DevicePlan& plan, bool fusion);
  absl::Status FindReference();
  reports::Row NewRow(const DevicePlan& plan, bool fusion, int threads) const;
  void MeasureRow(const DevicePlan& plan, const runtime::Artifact& artifact,
                  int threads, reports::Row* row);
  // Fills the row in as far as it gets; the error is why it got no further.
  absl::Status TryMeasure(const DevicePlan& plan,
                          const runtime::Artifact& artifact, int threads,
                          reports::Row* row);
  absl::StatusOr<Measurement> Measure(const DevicePlan& plan, Session* session,
                                      const devices::TimingPolicy& timing,
                                      reports::Row* row);
  void Judge(reports::Row* row) const;
  absl::Status Keep(reports::Row row);

  absl::Status Bless();
  void Conclude();

  reports::BaselineKey KeyOf(const reports::Row& row) const {
    return {row.model, row.device, row.fusion, row.tuning, row.threads};
  }

  const SuiteFlags& suite_;
  const Options& options_;
  Services& services_;

  std::vector<DevicePlan> plans_;
  std::string baseline_path_;  // empty if there is no folder for it
  reports::Baseline baseline_;
  Model model_;
  runtime::NamedTensors inputs_;
  runtime::NamedTensors reference_;
  // A line per row about --reference.
  std::string comparisons_;
  Outcome outcome_;
};

absl::Status SuiteRun::Prepare() {
  // Everything the user can have got wrong comes before anything slow.
  ASSAY_RETURN_IF_ERROR(LoadDevices());
  ASSAY_RETURN_IF_ERROR(LoadBaseline());
  for (const std::string& folder : {options_.out, options_.dump_dir}) {
    if (!folder.empty()) ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  }
  ASSAY_ASSIGN_OR_RETURN(model_, services_.load_model(options_));
  CHECK(model_.graph != nullptr);
  inputs_ = SeededInputs(*model_.graph, options_.seed);

  outcome_.result.started_at = services_.started_at;
  outcome_.result.environment = services_.environment;
  int rows = 0;
  for (const DevicePlan& plan : plans_) {
    rows += static_cast<int>(plan.threads.size() * options_.fusion.size());
  }
  services_.progress->Start(rows);
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
  if (options_.bless && !any_real) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--bless` with nothing but the emulated device `",
        plans_[0].device.name(), "`: an emulator's times are no baseline"));
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::LoadBaseline() {
  const std::string& folder =
      options_.baseline.empty() ? services_.baseline_folder : options_.baseline;
  if (folder.empty()) {
    if (!options_.bless) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "`--bless` does not know the workspace's folder; start the suite with "
        "`bazel run`, or give `--baseline`");
  }
  baseline_path_ = reports::BaselinePath(folder, suite_.name,
                                         services_.environment.fingerprint);
  ASSAY_ASSIGN_OR_RETURN(baseline_, reports::ReadBaseline(baseline_path_));
  return absl::OkStatus();
}

reports::Row SuiteRun::NewRow(const DevicePlan& plan, bool fusion,
                              int threads) const {
  reports::Row row;
  row.suite = suite_.name;
  row.model = model_.name;
  row.device = plan.device.name();
  row.fusion = fusion;
  row.threads = threads;
  row.emulated = devices::IsEmulated(plan.device);
  row.fingerprint = row.emulated ? EmulatedFingerprint(plan.device)
                                 : services_.environment.fingerprint;
  row.model_digest = model_.digest;
  row.reproduce = ReproduceCommand(suite_, options_, plan.flag, fusion, threads,
                                   TimingFor(options_, plan.device));
  return row;
}

absl::Status SuiteRun::RunRows(const DevicePlan& plan, bool fusion) {
  std::optional<absl::StatusOr<runtime::Artifact>> artifact;
  for (const int threads : plan.threads) {
    reports::Row row = NewRow(plan, fusion, threads);
    services_.progress->NextRow(absl::StrCat(
        row.model, " on ", row.device, ", fusion ", fusion ? "on" : "off"));
    if (!artifact.has_value()) {
      services_.progress->Step("compiling");
      artifact =
          services_.compiler->Compile(model_, plan.device, fusion,
                                      options_.max_winograd, options_.dump_dir);
    }
    absl::Status status = artifact->status();
    if (status.ok()) status = FindReference();
    if (status.ok()) {
      MeasureRow(plan, **artifact, threads, &row);
    } else if (ExitCodeOf(status) == ExitCode::kUsage) {
      return status;
    } else {
      row.verdict = stats::Verdict::kInfrastructure;
      row.reason = std::string(status.message());
    }
    ASSAY_RETURN_IF_ERROR(Keep(std::move(row)));
  }
  return absl::OkStatus();
}

// The right answer is the same for every row.
absl::Status SuiteRun::FindReference() {
  if (!reference_.empty()) return absl::OkStatus();
  services_.progress->Step("interpreting, for the right answer");
  ASSAY_ASSIGN_OR_RETURN(reference_,
                         services_.oracle->Reference(model_, inputs_));
  return absl::OkStatus();
}

void SuiteRun::MeasureRow(const DevicePlan& plan,
                          const runtime::Artifact& artifact, int threads,
                          reports::Row* row) {
  row->artifact_digest = runtime::Digest(artifact);
  row->kernels = static_cast<int>(artifact.calls.size());
  for (const runtime::KernelCall& call : artifact.calls) {
    row->flops += call.flops;
  }
  const absl::Status status = TryMeasure(plan, artifact, threads, row);
  if (!status.ok()) {
    row->samples_ms.clear();
    row->verdict = stats::Verdict::kInfrastructure;
    row->reason = std::string(status.message());
  }
}

absl::Status SuiteRun::TryMeasure(const DevicePlan& plan,
                                  const runtime::Artifact& artifact,
                                  int threads, reports::Row* row) {
  services_.progress->Step("checking the output");
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                         plan.runner->Load(artifact, inputs_, threads));
  const devices::TimingPolicy timing = TimingFor(options_, plan.device);
  ASSAY_ASSIGN_OR_RETURN(const runtime::NamedTensors outputs,
                         session->Evaluate());
  row->threads = session->threads();
  row->reproduce = ReproduceCommand(suite_, options_, plan.flag, row->fusion,
                                    row->threads, timing);
  const Accuracy accuracy = CheckOutputs(outputs, reference_);
  row->max_abs_error = accuracy.max_abs_error;
  row->max_abs_error_bound = accuracy.bound;
  if (!accuracy.correct) {
    row->verdict = stats::Verdict::kWrongOutput;
    row->reason = accuracy.problem;
    return absl::OkStatus();
  }

  services_.progress->Step("measuring");
  ASSAY_ASSIGN_OR_RETURN(Measurement measurement,
                         Measure(plan, session.get(), timing, row));
  if (row->verdict == stats::Verdict::kWrongOutput) return absl::OkStatus();
  if (measurement.samples_ms.empty()) {
    return absl::InternalError("the device returned no samples");
  }
  if (!SameBits(measurement.outputs, outputs)) {
    row->verdict = stats::Verdict::kWrongOutput;
    row->reason =
        "the output of the last timed run is not that of the first run; the "
        "same code on the same input must give the same bits";
    return absl::OkStatus();
  }
  row->samples_ms = std::move(measurement.samples_ms);
  Judge(row);
  return absl::OkStatus();
}

// Alone, or in turns with the reference. One that cannot be had is said and no
// error; one whose answer is wrong makes the row wrong, since nobody knows any
// more which of the two was asked for what.
absl::StatusOr<Measurement> SuiteRun::Measure(
    const DevicePlan& plan, Session* session,
    const devices::TimingPolicy& timing, reports::Row* row) {
  if (options_.reference.empty()) return session->Measure(timing);
  const std::string label = absl::StrCat(
      row->model, " on ", row->device, ", fusion ", row->fusion ? "on" : "off",
      ", ", row->threads, row->threads == 1 ? " thread: " : " threads: ");
  absl::Status status = services_.reference.status();
  if (devices::IsEmulated(plan.device)) {
    status = absl::UnimplementedError("the times of an emulator mean nothing");
  }
  std::unique_ptr<Session> reference;
  if (status.ok()) {
    auto loaded = services_.reference->load(model_, inputs_, row->threads);
    status = loaded.status();
    if (loaded.ok()) reference = *std::move(loaded);
  }
  if (!status.ok()) {
    absl::StrAppend(&comparisons_, label, "not compared with ",
                    options_.reference, ": ", status.message(), "\n");
    return session->Measure(timing);
  }
  ASSAY_ASSIGN_OR_RETURN(const runtime::NamedTensors outputs,
                         reference->Evaluate());
  const Accuracy accuracy = CheckOutputs(outputs, reference_);
  if (!accuracy.correct) {
    row->verdict = stats::Verdict::kWrongOutput;
    row->reason = absl::StrCat(services_.reference->name,
                               " gives another answer: ", accuracy.problem);
    return Measurement();
  }
  ASSAY_ASSIGN_OR_RETURN(
      MeasuredInTurns turns,
      MeasureInTurns(session, reference.get(), timing, options_.seed,
                     row->threads > 1 ? services_.reference->settle : nullptr));
  const stats::Summary ours = stats::Summarize(turns.ours.samples_ms);
  const stats::Summary theirs = stats::Summarize(turns.reference.samples_ms);
  row->speedup_vs_reference = theirs.median / ours.median;
  absl::StrAppend(
      &comparisons_, label,
      absl::StrFormat("%.3f times as fast as %s by medians (%.3f and %.3f ms), "
                      "%.3f by fastest samples\n",
                      *row->speedup_vs_reference, services_.reference->name,
                      ours.median, theirs.median, theirs.min / ours.min));
  return std::move(turns.ours);
}

void SuiteRun::Judge(reports::Row* row) const {
  if (row->emulated) {
    row->verdict = stats::Verdict::kEmulated;
    return;
  }
  const stats::Summary timing = *reports::Timing(*row);
  const reports::BaselineRow* base = reports::FindRow(baseline_, KeyOf(*row));
  if (base != nullptr && base->model_digest != row->model_digest) {
    row->reason = "the baseline is that of another model of this name";
    base = nullptr;
  }
  if (base == nullptr) {
    const bool enough = timing.count >= stats::kMinSamples;
    row->verdict =
        enough ? stats::Verdict::kNoBaseline : stats::Verdict::kInconclusive;
    if (!enough) {
      row->reason =
          absl::StrCat("the run has ", timing.count, " samples; at least ",
                       stats::kMinSamples, " are needed");
    }
    return;
  }
  const stats::Screening screening =
      stats::Screen(timing, base->timing,
                    base->state != ComparableState(services_.environment));
  row->baseline_ms = base->timing.median;
  row->delta = screening.delta;
  row->threshold = screening.threshold;
  row->verdict = screening.verdict;
  row->reason = screening.reason;
}

absl::Status SuiteRun::Keep(reports::Row row) {
  outcome_.result.rows.push_back(std::move(row));
  if (options_.out.empty()) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(options_.out, "results.json"),
                                        reports::ResultsJson(outcome_.result)));
  return WriteFileAtomic(JoinPath(options_.out, "results.csv"),
                         reports::ResultsCsv(outcome_.result));
}

absl::Status SuiteRun::Bless() {
  if (!options_.bless) return absl::OkStatus();
  reports::Baseline rows;
  for (const reports::Row& row : outcome_.result.rows) {
    const std::optional<stats::Summary> timing = reports::Timing(row);
    if (row.emulated || !timing.has_value() ||
        timing->count < stats::kMinSamples) {
      continue;
    }
    rows.push_back({KeyOf(row), *timing, row.model_digest, row.artifact_digest,
                    ComparableState(services_.environment)});
  }
  if (rows.empty()) {
    *services_.out << "\nnothing to bless\n";
    return absl::OkStatus();
  }
  ASSAY_RETURN_IF_ERROR(reports::UpdateBaseline(baseline_path_, rows));
  *services_.out << "\nblessed " << rows.size() << " of "
                 << outcome_.result.rows.size() << " rows in `"
                 << baseline_path_ << "`\n";
  return absl::OkStatus();
}

void SuiteRun::Conclude() {
  bool any_without_baseline = false;
  for (const reports::Row& row : outcome_.result.rows) {
    any_without_baseline |= row.verdict == stats::Verdict::kNoBaseline;
  }
  if (any_without_baseline && !options_.bless) {
    *services_.out << "\nno_baseline: nothing is stored for this machine ("
                   << services_.environment.fingerprint
                   << "); `--bless` stores these times\n";
  }
  if (!options_.out.empty()) {
    *services_.out << "\nresults: " << JoinPath(options_.out, "results.json")
                   << " and results.csv\n";
  }
  outcome_.exit_code =
      ExitCodeOf(outcome_.result, options_.require_baseline, options_.bless);
}

}  // namespace

absl::StatusOr<Outcome> RunSuite(const SuiteFlags& suite,
                                 const Options& options, Services& services) {
  return SuiteRun(suite, options, services).Run();
}

}  // namespace assay::suites
