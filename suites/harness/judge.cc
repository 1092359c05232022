#include "suites/harness/judge.h"

#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "reports/result/run_folder.h"
#include "reports/stats/compare.h"
#include "reports/stats/false_discovery.h"
#include "reports/stats/summary.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/cause/cause.h"
#include "suites/cause/kernel_files.h"
#include "suites/cause/work_counts.h"
#include "suites/harness/side_by_side.h"
#include "suites/machine/environment.h"

namespace assay::suites {

JudgedCell JudgeStage::Judge(const ModelSource& source,
                             const CompiledCell& compiled,
                             const CheckedCell& checked, const TimedCell& timed,
                             const DeviceSlot& slot, Session* session) const {
  const auto baseline = plan_.baselines.find(source.suite);
  Case c = {source,
            compiled.build,
            checked,
            slot,
            baseline == plan_.baselines.end()
                ? nullptr
                : reports::FindRow(baseline->second, checked.key),
            session,
            {{}, timed.comparison}};
  if (slot.facts.emulated) {
    c.result.judgement.verdict = stats::Verdict::kEmulated;
    return c.result;
  }
  Screen(timed.timing, &c);
  const absl::Status status = Confirm(&c);
  if (!status.ok()) c.result.judgement = Failure(status);
  return std::move(c.result);
}

void JudgeStage::Screen(const reports::Timing& timing, Case* c) const {
  Judgement& judgement = c->result.judgement;
  const stats::Summary summary =
      stats::Summarize(reports::InMilliseconds(timing.samples_ns));
  const reports::BaselineRow* base = c->baseline;
  if (base != nullptr && !options_.inputs_are_generated) {
    judgement.reason = "the baseline was measured with other inputs";
    base = nullptr;
  }
  if (base != nullptr && base->model_digest != c->build.model_digest) {
    judgement.reason = "the baseline is that of another model of this name";
    base = nullptr;
  }
  if (base == nullptr) {
    judgement.verdict = stats::Verdict::kNoBaseline;
    if (summary.count < stats::kMinSamples) {
      judgement.verdict = stats::Verdict::kInconclusive;
      judgement.reason =
          absl::StrCat("the run has ", summary.count, " samples; at least ",
                       stats::kMinSamples, " are needed");
    }
    return;
  }
  const std::string state = ComparableState(plan_.environment);
  const stats::Screening screening =
      stats::Screen(summary, base->timing, base->state != state);
  c->result.comparison.baseline_ms = base->timing.median;
  c->result.comparison.delta = screening.delta;
  c->result.comparison.threshold = screening.threshold;
  judgement.verdict = screening.verdict;
  judgement.reason = screening.reason;
  if (judgement.verdict == stats::Verdict::kEnvironmentChanged) {
    absl::StrAppend(&judgement.reason, " (", StateChanges(base->state, state),
                    ")");
  }
}

absl::Status JudgeStage::Confirm(Case* c) const {
  Judgement& judgement = c->result.judgement;
  const ComparisonOptions& comparison = options_.comparison;
  const bool suspected =
      judgement.verdict == stats::Verdict::kRegressed ||
      judgement.verdict == stats::Verdict::kImproved ||
      judgement.verdict == stats::Verdict::kEnvironmentChanged;
  ASSAY_ASSIGN_OR_RETURN(const bool decided, Follow(c));
  if (decided) return absl::OkStatus();
  if (comparison.against.empty() && (!suspected || comparison.blessing())) {
    return absl::OkStatus();
  }
  const absl::StatusOr<runtime::Artifact> base = OtherArtifact(*c);
  if (!base.ok()) {
    judgement.verdict = stats::Verdict::kInconclusive;
    absl::StrAppend(&judgement.reason, judgement.reason.empty() ? "" : "; ",
                    "not confirmed side by side: ", base.status().message(),
                    HowToConfirm(*c));
    return absl::OkStatus();
  }
  if (comparison.against_runtime.empty() &&
      runtime::Digest(*base) == c->build.artifact_digest) {
    AcceptSameArtifact(suspected, c);
    return absl::OkStatus();
  }
  ASSAY_RETURN_IF_ERROR(Measure(*base, SideBySide().false_discovery_rate, c));
  ShowDifference(c);
  return absl::OkStatus();
}

absl::StatusOr<bool> JudgeStage::Follow(Case* c) const {
  const reports::NewestBuilds::Build* earlier = plan_.earlier.Find(
      c->source.suite, c->checked.key, c->slot.facts.fingerprint);
  if (earlier == nullptr ||
      earlier->facts.model_digest != c->build.model_digest) {
    return false;
  }
  if (earlier->facts.artifact_digest == c->build.artifact_digest) {
    // The artifact of a baseline may be another one.
    if (c->result.judgement.verdict != stats::Verdict::kNoBaseline) {
      return false;
    }
    AcceptSameArtifact(/*suspected=*/false, c);
    return true;
  }
  const absl::StatusOr<runtime::Artifact> base =
      runtime::ArtifactStore(plan_.earlier_artifacts)
          .Get(earlier->facts.artifact_digest);
  if (!base.ok()) {
    absl::StrAppend(&c->session->notes.lines, LabelOf(c->checked.key),
                    "not compared with the program of ", earlier->started_at,
                    ": ", base.status().message(), "\n");
    return false;
  }
  ASSAY_RETURN_IF_ERROR(Measure(*base, stats::kNightlyFalseDiscoveryRate, c));
  return true;
}

void JudgeStage::AcceptSameArtifact(bool suspected, Case* c) const {
  constexpr char kSame[] =
      "the artifact is the same, bit by bit; nothing to measure";
  Judgement& judgement = c->result.judgement;
  if (judgement.verdict == stats::Verdict::kEnvironmentChanged) {
    absl::StrAppend(&judgement.reason, "; ", kSame);
  } else {
    judgement = {
        stats::Verdict::kEquivalent,
        absl::StrCat(kSame, suspected ? ". What changed is the machine" : "")};
  }
  absl::StrAppend(&c->session->notes.lines, LabelOf(c->checked.key),
                  judgement.reason, "\n");
  c->session->history.budget_left_s += options_.comparison.budget_s;
}

absl::Status JudgeStage::Measure(const runtime::Artifact& base, double rate,
                                 Case* c) const {
  const CheckedCell& cell = c->checked;
  SideBySide both;
  both.pair.base = &base;
  both.base_digest = runtime::Digest(base);
  both.pair.run = cell.artifact.get();
  both.pair.session = cell.session.get();
  both.pair.base_runner = both.pair.run_runner = c->slot.runner.get();
  both.cells = plan_.cells;
  both.false_discovery_rate = rate;
  both.left_s = &c->session->history.budget_left_s;
  std::unique_ptr<runtime::Runner> base_runtime, run_runtime;
  if (!options_.comparison.against_runtime.empty()) {
    ASSAY_ASSIGN_OR_RETURN(
        base_runtime, host_.OpenProcess(options_.comparison.against_runtime));
    ASSAY_ASSIGN_OR_RETURN(
        run_runtime, host_.OpenProcess(options_.comparison.artifacts_runtime));
    both.pair.base_runner = base_runtime.get();
    both.pair.run_runner = run_runtime.get();
  }
  CanaryMode mode = {both.pair.run_runner, cell.key.threads};
  mode.on_estimate = [this](double needed_s) {
    progress_.Step(
        absl::StrCat("testing the comparison, which ", NeededText(needed_s)));
  };
  if (!cell.board.empty()) mode.target = c->slot.device.target();
  bool sound = true;
  if (options_.comparison.canary) {
    ASSAY_ASSIGN_OR_RETURN(sound, CanaryIsSound(mode, c));
  }
  if (!sound) {
    c->result.judgement = {
        stats::Verdict::kInconclusive,
        "the canary of this session got a wrong verdict, so another would "
        "prove nothing"};
    return absl::OkStatus();
  }
  c->slot.blocks->Take();
  ASSAY_ASSIGN_OR_RETURN(
      SideBySideResult result,
      CompareSideBySide(both, options_.comparison, options_.seed, progress_));
  c->result.judgement = std::move(result.judgement);
  c->result.comparison.paired = std::move(result.paired);
  if (c->result.comparison.paired.has_value()) {
    c->result.comparison.paired->blocks = c->slot.blocks->Take();
  }
  CountWork(base, c);
  return absl::OkStatus();
}

// Runs the canary unless the slot has done so on this board with this number of
// threads.
absl::StatusOr<bool> JudgeStage::CanaryIsSound(const CanaryMode& mode,
                                               Case* c) const {
  const std::string& board = c->checked.board;
  auto& canaries = c->session->history.canaries;
  const std::pair<int, std::string> key = {mode.threads, board};
  if (canaries.count(key) == 0) {
    progress_.Step("testing the comparison");
    ASSAY_ASSIGN_OR_RETURN(reports::Canary trials,
                           host_.TestComparisons(mode, options_.seed));
    for (reports::CanaryTrial& trial : trials) trial.board = board;
    reports::Canary& all = c->session->canary;
    all.insert(all.end(), trials.begin(), trials.end());
    canaries[key] = std::move(trials);
  }
  return IsSound(canaries[key], mode.threads, board);
}

// Counts what the kernels of a regression execute, unless they cannot be
// emulated.
void JudgeStage::CountWork(const runtime::Artifact& base, Case* c) const {
  auto& paired = c->result.comparison.paired;
  if (!paired.has_value() || !paired->attribution.has_value() ||
      c->result.judgement.verdict != stats::Verdict::kRegressed) {
    return;
  }
  progress_.Step("counting instructions");
  const runtime::Artifact& run = *c->checked.artifact;
  const auto base_counts = host_.CountKernels(base);
  const auto run_counts =
      base_counts.ok() ? host_.CountKernels(run) : base_counts;
  if (!run_counts.ok()) {
    absl::StrAppend(
        &c->session->notes.lines, LabelOf(c->checked.key),
        "instructions were not counted: ", run_counts.status().message(), "\n");
    return;
  }
  AddWorkCounts({base.calls, *base_counts}, {run.calls, *run_counts},
                &*paired->attribution);
}

// Finds out why kernels changed, and writes the files of the kernel that
// contributes most to a regression, if both runs dumped the stages of their
// compilation.
void JudgeStage::ShowDifference(Case* c) const {
  const reports::CellKey& cell = c->checked.key;
  auto& paired = c->result.comparison.paired;
  const std::string& against = options_.comparison.against;
  const std::string& artifacts = options_.comparison.artifacts;
  DumpFolder ours = options_.dump;
  if (!artifacts.empty()) ours.path = JoinPath(artifacts, "dump");
  if (!paired.has_value() || !paired->attribution.has_value() ||
      paired->attribution->kernels.empty() || options_.out.empty() ||
      ours.path.empty() || against.empty()) {
    return;
  }
  const DumpFolder theirs = {JoinPath(against, "dump"), ours.several_models};
  for (reports::KernelChange& change : paired->attribution->kernels) {
    change.cause = CauseOf(theirs.For(cell), ours.For(cell), change);
  }
  const std::string folder = JoinPath(
      JoinPath(options_.out, "attribution"),
      absl::StrCat(cell.model, ".", cell.device, ".",
                   VariantName(cell.variant, '.'), ".threads_", cell.threads));
  const absl::Status written =
      WriteKernelDifference(theirs.For(cell), ours.For(cell),
                            paired->attribution->kernels[0], folder);
  absl::StrAppend(
      &c->session->notes.lines, LabelOf(cell),
      written.ok() ? absl::StrCat("what became of the kernel: `", folder, "`")
                   : std::string(written.message()),
      "\n");
}

// Returns an empty string if the commit of the baseline is unknown.
std::string JudgeStage::HowToConfirm(const Case& c) const {
  if (!options_.comparison.against.empty() || c.baseline == nullptr ||
      c.baseline->commit.empty()) {
    return "";
  }
  return absl::StrCat(
      "; `./bazelw run //ci:gate -- --base=",
      c.baseline->commit.substr(0, c.baseline->commit.find('+')),
      " --suite=", c.source.target, "` builds it again and measures both");
}

absl::StatusOr<runtime::Artifact> JudgeStage::OtherArtifact(
    const Case& c) const {
  const std::string& against = options_.comparison.against;
  if (against.empty()) {
    if (options_.baseline_artifacts.empty()) {
      return absl::NotFoundError("no artifacts of baselines are kept");
    }
    return runtime::ArtifactStore(options_.baseline_artifacts)
        .Get(c.baseline->artifact_digest);
  }
  for (const reports::Row& other : plan_.against.rows) {
    if (!(other.cell == c.checked.key)) continue;
    if (other.build.model_digest != c.build.model_digest) {
      return absl::FailedPreconditionError(
          absl::StrCat("`", against, "` holds another model of this name"));
    }
    return runtime::ArtifactStore(reports::ArtifactFolder(against))
        .Get(other.build.artifact_digest);
  }
  return absl::NotFoundError(absl::StrCat("`", against, "` has no such row"));
}

}  // namespace assay::suites
