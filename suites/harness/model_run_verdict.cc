// The verdict of a row: the screen, and what confirms it.
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
#include "suites/harness/environment.h"
#include "suites/harness/kernel_files.h"
#include "suites/harness/model_run.h"
#include "suites/harness/row_outcome.h"
#include "suites/harness/side_by_side.h"

namespace assay::suites {

void ModelRun::Judge(reports::Row* row) const {
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
  if (row->verdict == stats::Verdict::kEnvironmentChanged) {
    absl::StrAppend(
        &row->reason, " (",
        StateChanges(base->state, ComparableState(services_.environment)), ")");
  }
}

// The verdict of a row that a screen suspects, or that --against is about,
// comes from measuring both artifacts side by side.
void ModelRun::Confirm(const DevicePlan& plan, Cell* cell) {
  reports::Row& row = cell->row;
  if (row.emulated) return;
  const bool suspected = row.verdict == stats::Verdict::kRegressed ||
                         row.verdict == stats::Verdict::kImproved ||
                         row.verdict == stats::Verdict::kEnvironmentChanged;
  if (options_.against.empty() && (!suspected || options_.blessing())) return;
  const absl::StatusOr<runtime::Artifact> base = OtherArtifact(row);
  if (!base.ok()) {
    row.verdict = stats::Verdict::kInconclusive;
    row.reason =
        absl::StrCat(row.reason, row.reason.empty() ? "" : "; ",
                     "not confirmed side by side: ", base.status().message(),
                     HowToConfirm(row));
    return;
  }
  const bool same_runtime = options_.against_runtime.empty();
  const std::string base_digest = runtime::Digest(*base);
  if (same_runtime && base_digest == row.artifact_digest) {
    constexpr char kSame[] =
        "the artifact is the same, bit by bit; nothing to measure";
    if (row.verdict == stats::Verdict::kEnvironmentChanged) {
      absl::StrAppend(&row.reason, "; ", kSame);
    } else {
      row.verdict = stats::Verdict::kEquivalent;
      row.reason =
          absl::StrCat(kSame, suspected ? ". What changed is the machine" : "");
    }
    absl::StrAppend(&remarks_, Label(row), row.reason, "\n");
    *budget_left_s_ += options_.budget_s;
    return;
  }
  absl::Status status = AskCanary();
  if (!status.ok()) return Fail(status, &row);
  if (canary_->has_value() && !IsSound(**canary_)) {
    row.verdict = stats::Verdict::kInconclusive;
    row.reason =
        "the canary of this session got a wrong verdict, so another would "
        "prove nothing";
    return;
  }
  SideBySide both;
  both.base = &*base;
  both.base_digest = base_digest;
  both.run = cell->artifact;
  both.session = cell->session.get();
  both.runner = plan.runner.get();
  both.cells = cells_;
  both.left_s = budget_left_s_;
  std::unique_ptr<Runner> base_runtime, run_runtime;
  if (!same_runtime) {
    status = MakeRuntimes(&base_runtime, &run_runtime);
    if (!status.ok()) return Fail(status, &row);
    both.base_runtime = base_runtime.get();
    both.run_runtime = run_runtime.get();
  }
  status = CompareSideBySide(both, options_, services_.progress, &row);
  if (!status.ok()) return Fail(status, &row);
  ShowDifference(plan, row);
}

absl::Status ModelRun::MakeRuntimes(std::unique_ptr<Runner>* base,
                                    std::unique_ptr<Runner>* run) const {
  CHECK(services_.make_process_runner != nullptr);
  ASSAY_ASSIGN_OR_RETURN(
      *base, services_.make_process_runner(options_.against_runtime));
  ASSAY_ASSIGN_OR_RETURN(*run, services_.make_process_runner(""));
  return absl::OkStatus();
}

absl::Status ModelRun::AskCanary() {
  if (services_.canary == nullptr || canary_->has_value()) {
    return absl::OkStatus();
  }
  services_.progress->Step("asking the canary");
  ASSAY_ASSIGN_OR_RETURN(*canary_, services_.canary(options_.seed));
  return absl::OkStatus();
}

// The kernel that most of a regression is in, as files, where both runs dumped
// the stages of their compilation.
void ModelRun::ShowDifference(const DevicePlan& plan, const reports::Row& row) {
  const bool attributed = row.paired.has_value() &&
                          row.paired->attribution.has_value() &&
                          !row.paired->attribution->kernels.empty();
  if (!attributed || options_.out.empty() || options_.dump_dir.empty() ||
      options_.against.empty()) {
    return;
  }
  const std::string folder =
      JoinPath(JoinPath(options_.out, "attribution"),
               absl::StrCat(row.model, ".", row.device,
                            row.fusion ? ".fusion_on" : ".fusion_off",
                            ".threads_", row.threads));
  const absl::Status written = WriteKernelDifference(
      DumpFolder(JoinPath(options_.against, "dump"), plan, row.fusion),
      DumpFolder(options_.dump_dir, plan, row.fusion),
      row.paired->attribution->kernels[0], folder);
  absl::StrAppend(
      &remarks_, Label(row),
      written.ok() ? absl::StrCat("what became of the kernel: `", folder, "`")
                   : std::string(written.message()),
      "\n");
}

// Where the baseline says of which commit it is.
std::string ModelRun::HowToConfirm(const reports::Row& row) const {
  const reports::BaselineRow* base = reports::FindRow(baseline_, KeyOf(row));
  if (!options_.against.empty() || base == nullptr || base->commit.empty()) {
    return "";
  }
  return absl::StrCat("; `./bazelw run //ci:gate -- --base=",
                      base->commit.substr(0, base->commit.find('+')),
                      " --suite=", source_.target,
                      "` builds it again and measures both");
}

absl::StatusOr<runtime::Artifact> ModelRun::OtherArtifact(
    const reports::Row& row) const {
  if (options_.against.empty()) {
    if (services_.artifact_folder.empty()) {
      return absl::NotFoundError("no artifacts of baselines are kept");
    }
    const reports::BaselineRow* base = reports::FindRow(baseline_, KeyOf(row));
    return runtime::ArtifactStore(services_.artifact_folder)
        .Get(base->artifact_digest);
  }
  for (const reports::Row& other : against_.rows) {
    if (!(KeyOf(other) == KeyOf(row))) continue;
    if (other.model_digest != row.model_digest) {
      return absl::FailedPreconditionError(absl::StrCat(
          "`", options_.against, "` holds another model of this name"));
    }
    return runtime::ArtifactStore(ArtifactFolder(options_.against))
        .Get(other.artifact_digest);
  }
  return absl::NotFoundError(
      absl::StrCat("`", options_.against, "` has no such row"));
}

}  // namespace assay::suites
