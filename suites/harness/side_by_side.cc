#include "suites/harness/side_by_side.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/render/attribution_table.h"
#include "reports/stats/false_discovery.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/attribute.h"
#include "suites/comparison/measure_paired.h"
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

// The two programs to compare, in one session if they share memory.
struct Programs {
  std::unique_ptr<CheckedSession> base,
      run;  // `run` is null if it is in `base`
  int run_program = 0;

  CheckedSession& run_session() const { return run == nullptr ? *base : *run; }
  absl::Status BeginRound(int64_t round) const {
    ASSAY_RETURN_IF_ERROR(base->BeginRound(round));
    return run == nullptr ? absl::OkStatus() : run->BeginRound(round);
  }
};

absl::StatusOr<Programs> LoadBoth(const SideBySide& both) {
  Programs programs;
  if (both.base_runtime == nullptr) {
    absl::StatusOr<std::unique_ptr<CheckedSession>> pair =
        both.session->LoadForComparison({both.base, both.run}, *both.runner);
    if (pair.ok()) {
      programs.base = *std::move(pair);
      programs.run_program = 1;
      return programs;
    }
    if (!absl::IsUnimplemented(pair.status())) return pair.status();
  }
  const bool one_runtime = both.base_runtime == nullptr;
  ASSAY_ASSIGN_OR_RETURN(
      programs.base,
      both.session->LoadForComparison(
          {both.base}, one_runtime ? *both.runner : *both.base_runtime));
  ASSAY_ASSIGN_OR_RETURN(
      programs.run,
      both.session->LoadForComparison(
          {both.run}, one_runtime ? *both.runner : *both.run_runtime));
  return programs;
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
void FindKernels(const SideBySide& both, const Programs& programs,
                 const Options& options, reports::Row* row) {
  AttributionLimits limits;
  limits.budget_s = kBudgetsToFindKernels * options.comparison.budget_s;
  limits.seed = options.timing.seed;
  limits.begin_round = [&programs](int64_t round) {
    return programs.BeginRound(round);
  };
  absl::StatusOr<reports::Attribution> attribution = Attribute(
      {programs.base.get(), 0, both.base->calls},
      {&programs.run_session(), programs.run_program, both.run->calls}, limits,
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
  ASSAY_ASSIGN_OR_RETURN(const Programs programs, LoadBoth(both));
  CheckedSession& base = *programs.base;
  CheckedSession& run = programs.run_session();
  ASSAY_ASSIGN_OR_RETURN(const Accuracy accuracy, base.Examine());
  if (!accuracy.correct) {
    row->verdict = stats::Verdict::kInconclusive;
    row->reason = absl::StrCat(
        "the artifact that it is compared with gives a "
        "wrong answer: ",
        accuracy.problem);
    return absl::OkStatus();
  }
  ASSAY_ASSIGN_OR_RETURN(const Accuracy ours,
                         run.Examine(programs.run_program));
  if (!ours.correct) {
    MarkWrongOutput(ours.problem, row);
    return absl::OkStatus();
  }
  PairedLimits limits = LimitsFor(options, both.cells, *both.left_s);
  limits.begin_round = [&programs](int64_t round) {
    return programs.BeginRound(round);
  };
  ASSAY_ASSIGN_OR_RETURN(
      PairedMeasurement paired,
      MeasurePaired({"base", &base, 0}, {"run", &run, programs.run_program},
                    limits, Clock::Monotonic()));
  *both.left_s += options.comparison.budget_s - paired.spent_s;
  const stats::PairedVerdict& verdict = paired.verdict;
  row->comparison.paired = reports::PairedComparison{both.base_digest,
                                                     std::move(paired.base_ns),
                                                     std::move(paired.run_ns),
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
    FindKernels(both, programs, options, row);
  }
  if (!run.problem(programs.run_program).empty()) {
    MarkWrongOutput(run.problem(programs.run_program), row);
  } else if (!base.problem().empty()) {
    row->comparison.paired.reset();
    row->verdict = stats::Verdict::kInconclusive;
    row->reason =
        absl::StrCat("the artifact that it is compared with: ", base.problem());
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
