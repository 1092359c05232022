#include "suites/harness/row_judge.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "devices/device.h"
#include "reports/stats/compare.h"
#include "reports/stats/summary.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/block_log.h"
#include "suites/harness/kernel_files.h"
#include "suites/harness/row_outcome.h"
#include "suites/harness/side_by_side.h"
#include "suites/machine/environment.h"

namespace assay::suites {

void RowJudge::Judge(const DevicePlan& plan, Cell* cell,
                     Attempt* attempt) const {
  Screen(&cell->row);
  Confirm(plan, cell, attempt);
}

void RowJudge::Screen(reports::Row* row) const {
  if (row->emulated) {
    row->verdict = stats::Verdict::kEmulated;
    return;
  }
  const stats::Summary timing = *reports::LatencySummary(*row);
  const reports::BaselineRow* base = reports::FindRow(baseline_, row->cell);
  if (base != nullptr && !options_.model.all_inputs_seeded()) {
    row->reason = "the baseline was measured with other inputs";
    base = nullptr;
  }
  if (base != nullptr && base->model_digest != row->build.model_digest) {
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
  const stats::Screening screening = stats::Screen(
      timing, base->timing, base->state != ComparableState(state_.environment));
  row->comparison.baseline_ms = base->timing.median;
  row->comparison.delta = screening.delta;
  row->comparison.threshold = screening.threshold;
  row->verdict = screening.verdict;
  row->reason = screening.reason;
  if (row->verdict == stats::Verdict::kEnvironmentChanged) {
    absl::StrAppend(
        &row->reason, " (",
        StateChanges(base->state, ComparableState(state_.environment)), ")");
  }
}

void RowJudge::Confirm(const DevicePlan& plan, Cell* cell,
                       Attempt* attempt) const {
  reports::Row& row = cell->row;
  if (row.emulated) return;
  const bool suspected = row.verdict == stats::Verdict::kRegressed ||
                         row.verdict == stats::Verdict::kImproved ||
                         row.verdict == stats::Verdict::kEnvironmentChanged;
  if (options_.comparison.against.empty() &&
      (!suspected || options_.comparison.blessing()))
    return;
  const absl::StatusOr<runtime::Artifact> base = OtherArtifact(row);
  if (!base.ok()) {
    row.verdict = stats::Verdict::kInconclusive;
    row.reason =
        absl::StrCat(row.reason, row.reason.empty() ? "" : "; ",
                     "not confirmed side by side: ", base.status().message(),
                     HowToConfirm(row));
    return;
  }
  if (options_.comparison.against_runtime.empty() &&
      runtime::Digest(*base) == row.build.artifact_digest) {
    return ConfirmSameArtifact(suspected, &row, attempt);
  }
  const absl::Status status = Measure(plan, *base, cell, attempt);
  if (!status.ok()) return FailCell(status, cell);
  ShowDifference(row, &attempt->remarks);
}

void RowJudge::ConfirmSameArtifact(bool suspected, reports::Row* row,
                                   Attempt* attempt) const {
  constexpr char kSame[] =
      "the artifact is the same, bit by bit; nothing to measure";
  if (row->verdict == stats::Verdict::kEnvironmentChanged) {
    absl::StrAppend(&row->reason, "; ", kSame);
  } else {
    row->verdict = stats::Verdict::kEquivalent;
    row->reason =
        absl::StrCat(kSame, suspected ? ". What changed is the machine" : "");
  }
  absl::StrAppend(&attempt->remarks.lines, Label(*row), row->reason, "\n");
  attempt->lane.budget_left_s += options_.comparison.budget_s;
}

absl::Status RowJudge::Measure(const DevicePlan& plan,
                               const runtime::Artifact& base, Cell* cell,
                               Attempt* attempt) const {
  SideBySide both;
  both.base = &base;
  both.base_digest = runtime::Digest(base);
  both.run = cell->artifact;
  both.session = cell->session.get();
  both.base_runner = both.run_runner = plan.runner.get();
  both.cells = state_.cells;
  both.left_s = &attempt->lane.budget_left_s;
  std::unique_ptr<runtime::Runner> base_runtime, run_runtime;
  const std::string& program = options_.comparison.against_runtime;
  if (!program.empty()) {
    CHECK(services_.tools.make_process_runner != nullptr);
    ASSAY_ASSIGN_OR_RETURN(base_runtime,
                           services_.tools.make_process_runner(program));
    ASSAY_ASSIGN_OR_RETURN(run_runtime,
                           services_.tools.make_process_runner(
                               options_.comparison.artifacts_runtime));
    both.base_runner = base_runtime.get();
    both.run_runner = run_runtime.get();
  }
  const int threads = cell->session->threads();
  CanaryMode mode = {both.run_runner, threads};
  mode.on_estimate = [this](double needed_s) {
    services_.progress->Step(
        absl::StrCat("testing the comparison, which ", NeededText(needed_s)));
  };
  const std::string& board = cell->row.board;
  if (!board.empty()) mode.target = plan.device.target();
  ASSAY_ASSIGN_OR_RETURN(const bool sound, CanaryIsSound(mode, board, attempt));
  if (!sound) {
    cell->row.verdict = stats::Verdict::kInconclusive;
    cell->row.reason =
        "the canary of this session got a wrong verdict, so another would "
        "prove nothing";
    return absl::OkStatus();
  }
  plan.blocks->Take();
  ASSAY_RETURN_IF_ERROR(
      CompareSideBySide(both, options_, services_.progress, &cell->row));
  if (cell->row.comparison.paired.has_value()) {
    cell->row.comparison.paired->blocks = plan.blocks->Take();
  }
  return absl::OkStatus();
}

// Runs the canary unless the lane has done so on this board with this number of
// threads.
absl::StatusOr<bool> RowJudge::CanaryIsSound(const CanaryMode& mode,
                                             const std::string& board,
                                             Attempt* attempt) const {
  if (services_.tools.canary == nullptr) return true;
  auto& canaries = attempt->lane.canaries;
  const std::pair<int, std::string> key = {mode.threads, board};
  if (canaries.count(key) == 0) {
    services_.progress->Step("testing the comparison");
    ASSAY_ASSIGN_OR_RETURN(reports::Canary trials,
                           services_.tools.canary(mode, options_.timing.seed));
    for (reports::CanaryTrial& trial : trials) trial.board = board;
    attempt->canary.insert(attempt->canary.end(), trials.begin(), trials.end());
    canaries[key] = std::move(trials);
  }
  return IsSound(canaries[key], mode.threads, board);
}

// Writes the files of the kernel that contributes most to a regression, if both
// runs dumped the stages of their compilation.
void RowJudge::ShowDifference(const reports::Row& row, Remarks* remarks) const {
  const std::string& artifacts = options_.comparison.artifacts;
  const std::string dump = artifacts.empty() ? options_.compile.dump_dir
                                             : JoinPath(artifacts, "dump");
  const bool attributed = row.comparison.paired.has_value() &&
                          row.comparison.paired->attribution.has_value() &&
                          !row.comparison.paired->attribution->kernels.empty();
  if (!attributed || options_.output.out.empty() || dump.empty() ||
      options_.comparison.against.empty()) {
    return;
  }
  const std::string folder =
      JoinPath(JoinPath(options_.output.out, "attribution"),
               absl::StrCat(row.cell.model, ".", row.cell.device, ".",
                            VariantName(row.cell.variant, '.'), ".threads_",
                            row.cell.threads));
  const absl::Status written = WriteKernelDifference(
      DumpFolder(JoinPath(options_.comparison.against, "dump"), state_,
                 row.cell),
      DumpFolder(dump, state_, row.cell),
      row.comparison.paired->attribution->kernels[0], folder);
  absl::StrAppend(
      &remarks->lines, Label(row),
      written.ok() ? absl::StrCat("what became of the kernel: `", folder, "`")
                   : std::string(written.message()),
      "\n");
}

// Returns an empty string if the commit of the baseline is unknown.
std::string RowJudge::HowToConfirm(const reports::Row& row) const {
  const reports::BaselineRow* base = reports::FindRow(baseline_, row.cell);
  if (!options_.comparison.against.empty() || base == nullptr ||
      base->commit.empty()) {
    return "";
  }
  return absl::StrCat("; `./bazelw run //ci:gate -- --base=",
                      base->commit.substr(0, base->commit.find('+')),
                      " --suite=", source_.target,
                      "` builds it again and measures both");
}

absl::StatusOr<runtime::Artifact> RowJudge::OtherArtifact(
    const reports::Row& row) const {
  if (options_.comparison.against.empty()) {
    if (services_.folders.artifacts.empty()) {
      return absl::NotFoundError("no artifacts of baselines are kept");
    }
    const reports::BaselineRow* base = reports::FindRow(baseline_, row.cell);
    return runtime::ArtifactStore(services_.folders.artifacts)
        .Get(base->artifact_digest);
  }
  for (const reports::Row& other : state_.against.rows) {
    if (!(other.cell == row.cell)) continue;
    if (other.build.model_digest != row.build.model_digest) {
      return absl::FailedPreconditionError(
          absl::StrCat("`", options_.comparison.against,
                       "` holds another model of this name"));
    }
    return runtime::ArtifactStore(ArtifactFolder(options_.comparison.against))
        .Get(other.build.artifact_digest);
  }
  return absl::NotFoundError(
      absl::StrCat("`", options_.comparison.against, "` has no such row"));
}

}  // namespace assay::suites
