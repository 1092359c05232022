#include "suites/harness/side_by_side.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/render/attribution_table.h"
#include "reports/stats/false_discovery.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/attribute.h"
#include "suites/comparison/measure_paired.h"
#include "suites/comparison/program_pair.h"
#include "suites/harness/row_outcome.h"

namespace assay::suites {
namespace {

// Expected fraction of false alarms among rows called regressed or improved.
constexpr double kFalseDiscoveryRate = 0.05;
// Time limit of an attribution to kernels, as a multiple of the budget of a
// row. Regressions are rare, and attribution takes more samples than detection.
constexpr double kBudgetsToFindKernels = 3;

PairedLimits LimitsFor(const Options& options, int64_t cells, double left_s) {
  PairedLimits limits;
  limits.test.margin = options.comparison.margin;
  limits.test.log_e_alarm =
      std::max(limits.test.log_e_alarm,
               stats::LogEValueForOneOf(cells, kFalseDiscoveryRate));
  limits.budget = {options.comparison.budget_s, left_s};
  limits.seed = options.timing.seed;
  return limits;
}

// The two artifacts of a comparison, which are loaded again and again.
class ComparedArtifacts {
 public:
  explicit ComparedArtifacts(const SideBySide& both)
      : both_(both), one_session_(both.base_runtime == nullptr) {}

  // Loads both and runs them on all examples. Sets the accuracy of each. Must
  // be called first.
  absl::Status Examine(Accuracy* base, Accuracy* run) {
    ASSAY_ASSIGN_OR_RETURN(const Loaded loaded, LoadBoth({}));
    ASSAY_ASSIGN_OR_RETURN(*base, loaded.base->Examine(loaded.base_program));
    ASSAY_ASSIGN_OR_RETURN(*run, loaded.run->Examine(loaded.run_program));
    base_record_ = loaded.base->record(loaded.base_program);
    run_record_ = loaded.run->record(loaded.run_program);
    return absl::OkStatus();
  }

  absl::StatusOr<ProgramPair> Load(const PairPlacement& placement) {
    ASSAY_ASSIGN_OR_RETURN(const Loaded loaded, LoadBoth(placement));
    loaded.base->Expect(loaded.base_program, base_record_);
    loaded.run->Expect(loaded.run_program, run_record_);
    ProgramPair pair;
    pair.base = {"base", loaded.base.get(), loaded.base_program};
    pair.run = {"run", loaded.run.get(), loaded.run_program};
    pair.owner = std::make_shared<const Loaded>(loaded);
    // Neither program always gets its inputs first.
    pair.begin_round = [loaded, rng = Rng(placement.seed)](
                           int64_t round) mutable -> absl::Status {
      const bool run_first = rng.UniformInt(0, 1) == 1;
      CheckedSession& first = run_first ? *loaded.run : *loaded.base;
      CheckedSession& second = run_first ? *loaded.base : *loaded.run;
      ASSAY_RETURN_IF_ERROR(first.BeginRound(round));
      return second.BeginRound(round);
    };
    return pair;
  }

  // One sentence on a wrong output of a timed run, or empty.
  const std::string& base_problem() const { return base_record_->problem; }
  const std::string& run_problem() const { return run_record_->problem; }

 private:
  using Loaded = LoadedPair<CheckedSession>;

  absl::StatusOr<Loaded> LoadBoth(const PairPlacement& placement) {
    const auto load = [&](absl::Span<const runtime::Artifact* const> artifacts,
                          bool is_run) {
      runtime::Runner* runner = both_.runner;
      if (both_.base_runtime != nullptr) {
        runner = is_run ? both_.run_runtime : both_.base_runtime;
      }
      return both_.session->LoadForComparison(artifacts, *runner,
                                              placement.seed);
    };
    return LoadInOrder<CheckedSession>(both_.base, both_.run, placement,
                                       &one_session_, load);
  }

  const SideBySide& both_;
  bool one_session_;
  std::shared_ptr<CheckedSession::Record> base_record_, run_record_;
};

// Returns true if all kernels of both artifacts are known to be the same
// machine code, called equally often.
bool SameKernels(const runtime::Artifact& a, const runtime::Artifact& b) {
  const auto digests = [](const runtime::Artifact& artifact) {
    std::multiset<std::string> digests;
    for (const runtime::KernelCall& call : artifact.calls) {
      digests.insert(call.code_digest);
    }
    return digests;
  };
  const std::multiset<std::string> kernels = digests(a);
  return kernels.count("") == 0 && kernels == digests(b);
}

// Returns e.g. `; most of it in k007_conv2d (conv1): +0.512 of +0.530 ms`.
std::string MostOfIt(const reports::Attribution& attribution) {
  if (attribution.kernels.empty()) return "";
  const bool any_differs = absl::c_any_of(
      attribution.kernels,
      [](const reports::KernelChange& k) { return !k.same_code; });
  const reports::KernelChange& most = attribution.kernels[0];
  return absl::StrFormat(
      "%s; most of it in %s: %+.3f of %+.3f ms",
      any_differs ? "" : "; all kernels are the same machine code",
      reports::KernelName(most), most.change_ms, attribution.whole_ms);
}

// Attributes a regression to kernels, if possible.
void FindKernels(const SideBySide& both, PairLoader loader,
                 const Options& options, reports::Row* row) {
  AttributionLimits limits;
  limits.budget_s = kBudgetsToFindKernels * options.comparison.budget_s;
  limits.seed = options.timing.seed;
  absl::StatusOr<reports::Attribution> attribution =
      Attribute(std::move(loader), both.base->calls, both.run->calls, limits,
                Clock::Monotonic());
  if (!attribution.ok()) {
    absl::StrAppend(&row->reason, "; not attributed to kernels: ",
                    attribution.status().message());
    return;
  }
  row->reason += MostOfIt(*attribution);
  row->comparison.paired->attribution = *std::move(attribution);
}

}  // namespace

absl::Status CompareSideBySide(const SideBySide& both, const Options& options,
                               Progress* progress, reports::Row* row) {
  progress->Step("measuring side by side");
  ComparedArtifacts artifacts(both);
  Accuracy theirs, ours;
  ASSAY_RETURN_IF_ERROR(artifacts.Examine(&theirs, &ours));
  if (!theirs.correct) {
    row->verdict = stats::Verdict::kInconclusive;
    row->reason = absl::StrCat(
        "the artifact that it is compared with gives a "
        "wrong answer: ",
        theirs.problem);
    return absl::OkStatus();
  }
  if (!ours.correct) {
    MarkWrongOutput(ours.problem, row);
    return absl::OkStatus();
  }
  const PairLoader loader = [&artifacts](const PairPlacement& placement) {
    return artifacts.Load(placement);
  };
  ASSAY_ASSIGN_OR_RETURN(
      PairedMeasurement paired,
      MeasurePaired(loader, LimitsFor(options, both.cells, *both.left_s),
                    Clock::Monotonic()));
  *both.left_s += options.comparison.budget_s - paired.spent_s;
  const stats::PairedVerdict& verdict = paired.verdict;
  row->comparison.paired =
      reports::PairedComparison{both.base_digest,
                                std::move(paired.base_ns),
                                std::move(paired.run_ns),
                                std::move(paired.rounds_per_load),
                                verdict.change,
                                verdict.lower,
                                verdict.upper,
                                verdict.detectable};
  row->verdict = verdict.verdict;
  row->reason = stats::Describe(verdict);
  // An improvement that is too uncertain to exclude a slow-down does not count.
  if (verdict.verdict == stats::Verdict::kImproved &&
      !stats::MayPass(verdict, options.comparison.margin)) {
    row->verdict = stats::Verdict::kInconclusive;
    row->reason += ", which is more than the margin";
  }
  if (verdict.verdict == stats::Verdict::kRegressed) {
    progress->Step("looking for the kernel");
    FindKernels(both, loader, options, row);
    // With one runtime, only the order and the memory of the kernels differ.
    if (both.base_runtime == nullptr && SameKernels(*both.base, *both.run)) {
      row->verdict = stats::Verdict::kInconclusive;
    }
  }
  if (!artifacts.run_problem().empty()) {
    MarkWrongOutput(artifacts.run_problem(), row);
  } else if (!artifacts.base_problem().empty()) {
    row->comparison.paired.reset();
    row->verdict = stats::Verdict::kInconclusive;
    row->reason = absl::StrCat("the artifact that it is compared with: ",
                               artifacts.base_problem());
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
