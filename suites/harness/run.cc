#include "suites/harness/run.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "reports/baseline/baseline.h"
#include "reports/render/attribution_table.h"
#include "reports/render/format.h"
#include "reports/render/table.h"
#include "reports/stats/compare.h"
#include "reports/stats/summary.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/exit_rules.h"
#include "suites/harness/lane.h"
#include "suites/harness/model_run.h"
#include "suites/harness/run_recorder.h"
#include "suites/harness/run_state.h"
#include "suites/harness/work_list.h"
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
      : options_(options), services_(services), recorder_(options, services) {}

  absl::StatusOr<Outcome> Run() {
    ASSAY_RETURN_IF_ERROR(Prepare());
    if (options_.farm.parallel > 1) {
      RunInParallel();
    } else {
      RunInOrder();
    }
    services_.progress->Clear();
    // With a single model, its error is the error of the run.
    if (models_.size() == 1) ASSAY_RETURN_IF_ERROR(models_[0].status);
    for (const ModelState& model : models_) {
      if (!model.status.ok()) NoteFailure(model.source, model.status);
    }
    if (recorder_.result().rows.empty() && failures_.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`--cells` matches none of the ", state_.cells,
          " cells, whose names are like `resnet18/host/fusion_on/threads_2`"));
    }
    ASSAY_RETURN_IF_ERROR(recorder_.Finish(LastRemarks()));
    outcome_.result = recorder_.result();
    Print();
    ASSAY_RETURN_IF_ERROR(Bless());
    Conclude();
    return std::move(outcome_);
  }

 private:
  // A model of the run. It is loaded when its first unit is measured, and
  // released after its last one.
  struct ModelState {
    ModelSource source;
    std::unique_ptr<ModelRun> run;
    absl::Status status;  // the first error that ended its rows
  };

  absl::Status Prepare();
  absl::Status LoadDevices();
  absl::Status LoadBaseline(const std::string& suite);
  absl::Status LoadAgainst();
  absl::Status PrepareOutputs() const;
  void RunInOrder();
  void RunInParallel();
  bool RunLane(int plan, Lane* lane);
  std::optional<Lane> NewLane(int plan);
  bool RunUnit(const Unit& unit, Lane* lane);
  absl::StatusOr<ModelRun*> Open(ModelState* model);
  void Close(const Unit& unit, const absl::Status& status);
  void NoteFailure(const ModelSource& source, const absl::Status& status);
  std::string LastRemarks() const;
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

  std::string baseline_folder_;  // empty if there is none
  std::map<std::string, reports::Baseline> baselines_;  // by suite
  std::vector<Lane> lanes_;  // the first lane of each device
  RunState state_;
  std::optional<WorkList> work_;
  RunRecorder recorder_;
  absl::Mutex preparation_;  // model_run.h; protects models_
  std::vector<ModelState> models_;
  // Messages about models that failed, printed below the table.
  std::string failures_;
  std::optional<ExitCode> worst_failure_;
  Outcome outcome_;
};

absl::Status SuiteRun::Prepare() {
  // Detect user errors before any slow step.
  ASSAY_RETURN_IF_ERROR(LoadDevices());
  ASSAY_ASSIGN_OR_RETURN(std::vector<ModelSource> sources,
                         services_.models(options_));
  CHECK(!sources.empty());
  state_.several_models = sources.size() > 1;
  baseline_folder_ = options_.comparison.baseline.empty()
                         ? services_.folders.baselines
                         : options_.comparison.baseline;
  for (ModelSource& source : sources) {
    ASSAY_RETURN_IF_ERROR(LoadBaseline(source.suite));
    models_.push_back({std::move(source), nullptr, absl::OkStatus()});
  }
  ASSAY_RETURN_IF_ERROR(LoadAgainst());
  ASSAY_RETURN_IF_ERROR(PrepareOutputs());
  for (const std::string& folder :
       {options_.output.out, options_.compile.dump_dir}) {
    if (!folder.empty()) ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  }
  ASSAY_RETURN_IF_ERROR(recorder_.Open(state_.environment));
  std::vector<std::vector<int>> threads;
  for (const Lane& lane : lanes_) {
    threads.push_back(lane.plan.threads);
    state_.cells += static_cast<int64_t>(
        lane.plan.threads.size() * lane.plan.variants.size() * models_.size());
  }
  work_.emplace(static_cast<int>(models_.size()), threads);
  services_.progress->Start(static_cast<int>(state_.cells));
  return absl::OkStatus();
}

absl::Status SuiteRun::LoadDevices() {
  bool any_real = false;
  for (const std::string& flag : options_.matrix.devices) {
    ASSAY_ASSIGN_OR_RETURN(Lane lane, MakeLane(options_, services_, flag));
    const bool real = !lane.plan.facts.emulated;
    if (lanes_.empty() || (!any_real && real)) {
      state_.environment = EnvironmentOf(lane.plan.facts);
    }
    any_real |= real;
    const std::string remark = ProcessorRemark(EnvironmentOf(lane.plan.facts));
    if (!remark.empty()) recorder_.Remark(absl::StrCat(remark, "\n"));
    lanes_.push_back(std::move(lane));
  }
  if (options_.comparison.blessing() && !any_real) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--bless` with nothing but the emulated device `",
                     lanes_[0].plan.device.name(),
                     "`: an emulator's times are no baseline"));
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::LoadBaseline(const std::string& suite) {
  baselines_[suite];
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
    recorder_.Remark(absl::StrCat("`", options_.comparison.against,
                                  "` is of another machine, ", then.fingerprint,
                                  "; both are measured on this one\n"));
  } else if (ComparableState(then) != ComparableState(now)) {
    recorder_.Remark(absl::StrCat(
        "this machine changed since `", options_.comparison.against,
        "`: ", StateChanges(ComparableState(then), ComparableState(now)),
        "; both are measured now\n"));
  }
  return absl::OkStatus();
}

absl::Status SuiteRun::PrepareOutputs() const {
  if (options_.output.outputs.empty()) return absl::OkStatus();
  if (models_.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--outputs` is for the outputs of one model, but the run "
                     "has ",
                     models_.size(),
                     "; select one, for example by "
                     "`--variant`"));
  }
  return suites::PrepareOutputs(options_.output.outputs);
}

void SuiteRun::RunInOrder() {
  while (const std::optional<Unit> unit = work_->TakeAny()) {
    RunUnit(*unit, &lanes_[unit->plan]);
  }
}

// Each device of --device has a lane now. Its other lanes wait for a device,
// each in its thread, until all units are finished.
void SuiteRun::RunInParallel() {
  const int devices = static_cast<int>(lanes_.size());
  std::vector<std::atomic<int>> used(lanes_.size());
  std::vector<std::thread> threads;
  for (int plan = 0; plan < devices; ++plan) work_->Join(plan);
  for (int plan = 0; plan < devices; ++plan) {
    threads.emplace_back([this, plan, &used] {
      if (RunLane(plan, &lanes_[plan])) ++used[plan];
    });
    const int lanes = std::min(options_.farm.parallel, work_->CountOf(plan));
    for (int i = 1; i < lanes; ++i) {
      threads.emplace_back([this, plan, &used] {
        std::optional<Lane> lane = NewLane(plan);
        if (!lane.has_value()) return;
        work_->Join(plan);
        if (RunLane(plan, &*lane)) ++used[plan];
      });
    }
  }
  work_->WaitUntilFinished();
  if (services_.tools.stop_waiting != nullptr) services_.tools.stop_waiting();
  for (std::thread& thread : threads) thread.join();
  for (int plan = 0; plan < devices; ++plan) {
    const int lanes = std::min(options_.farm.parallel, work_->CountOf(plan));
    if (used[plan] >= lanes) continue;
    recorder_.Remark(absl::StrCat(
        lanes_[plan].plan.device.name(), ": measured on ", used[plan].load(),
        used[plan] == 1 ? " device" : " devices", " at a time instead of ",
        lanes, ", because no more were free in time\n"));
  }
}

// Measures units until there are none, and releases the device. Returns true if
// the lane has measured any.
bool SuiteRun::RunLane(int plan, Lane* lane) {
  bool any = false;
  while (const std::optional<Unit> unit = work_->Take(plan)) {
    if (!RunUnit(*unit, lane)) break;
    any = true;
  }
  services_.progress->Leave();
  lane->plan.runner = nullptr;
  return any;
}

// Waits for another device like the first one. Returns nothing if there is
// none.
std::optional<Lane> SuiteRun::NewLane(int plan) {
  const DevicePlan& first = lanes_[plan].plan;
  absl::StatusOr<Lane> lane = MakeLane(options_, services_, first.flag);
  if (!lane.ok()) return std::nullopt;
  const std::string problem = WhyNotTogether(first.facts, lane->plan.facts);
  if (problem.empty()) return *std::move(lane);
  recorder_.Remark(absl::StrCat(lane->plan.facts.board, " ", problem,
                                ", so nothing was measured on it\n"));
  return std::nullopt;
}

// Returns false if the lane has lost its device for good, and another lane
// measures the unit.
bool SuiteRun::RunUnit(const Unit& unit, Lane* lane) {
  ModelState& model = models_[unit.model];
  absl::StatusOr<ModelRun*> run = Open(&model);
  if (!run.ok()) {
    Close(unit, run.status());
    return true;
  }
  absl::StatusOr<MeasuredUnit> measured = (*run)->Measure(unit, lane);
  absl::Status status = measured.status();
  if (status.ok()) {
    const bool gone =
        lane->plan.leased() && lane->plan.runner->facts().board.empty();
    if (gone && work_->GiveBack(unit)) return false;
    status = recorder_.Keep(unit, std::move(measured->attempt));
  }
  Close(unit, status);
  return true;
}

absl::StatusOr<ModelRun*> SuiteRun::Open(ModelState* model) {
  const absl::MutexLock lock(&preparation_);
  ASSAY_RETURN_IF_ERROR(model->status);
  if (model->run == nullptr) {
    const ModelSource& source = model->source;
    const SharedByModels shared = {options_, services_, state_, recorder_,
                                   preparation_};
    model->run =
        std::make_unique<ModelRun>(shared, source, baselines_.at(source.suite));
    ASSAY_RETURN_IF_ERROR(model->run->Load());
  }
  return model->run.get();
}

// Ends a unit. After an error, the other rows of the model are not measured.
void SuiteRun::Close(const Unit& unit, const absl::Status& status) {
  const absl::MutexLock lock(&preparation_);
  ModelState& model = models_[unit.model];
  if (!status.ok()) {
    model.status.Update(status);
    work_->Drop(unit.model);
  }
  if (model.run != nullptr) {
    recorder_.KeepRemarks(unit.model, model.run->remarks());
  }
  if (work_->Finish(unit)) model.run = nullptr;
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

std::string SuiteRun::LastRemarks() const {
  std::string remarks;
  if (!options_.output.outputs.empty() && !recorder_.wrote_outputs()) {
    absl::StrAppend(&remarks, "no outputs were written to `",
                    options_.output.outputs,
                    "`, because no program ran in this process\n");
  }
  if (services_.tools.device_remarks != nullptr) {
    remarks += services_.tools.device_remarks();
  }
  return remarks + BoardRemarks(recorder_.result());
}

void SuiteRun::Print() {
  std::ostream& out = *services_.out;
  out << reports::Render(outcome_.result, options_.output.format);
  if (!ForPeople()) return;
  for (const std::string& text : {recorder_.remarks(), failures_}) {
    if (!text.empty()) out << "\n" << PlainLines(text);
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
  size_t all = 0, disturbed = 0;
  for (const reports::Row& row : outcome_.result.rows) {
    if (row.suite != suite) continue;
    ++all;
    const std::optional<stats::Summary> timing = reports::LatencySummary(row);
    if (row.emulated || !timing.has_value() ||
        timing->count < stats::kMinSamples) {
      continue;
    }
    if (!row.timing.disturbances.empty() && !options_.comparison.force) {
      ++disturbed;
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
  if (disturbed > 0 && ForPeople()) {
    *services_.out << "\nnot blessed: the times of " << disturbed
                   << (disturbed == 1 ? " row" : " rows")
                   << " that other programs disturbed; --force stores them, "
                      "too\n";
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
