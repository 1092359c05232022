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

// Of the rows that are called regressed or improved.
constexpr double kFalseDiscoveryRate = 0.05;
// Budgets of a row that looking for the kernel may take: a slow-down is rarer
// than the question, and adding up kernels takes more samples than seeing that
// there is one.
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

// A program for each, or `run` is the row's own session, and null.
struct Sessions {
  std::unique_ptr<CheckedSession> base, run;
};

absl::StatusOr<Sessions> LoadBoth(const SideBySide& both) {
  Sessions sessions;
  if (both.base_runtime == nullptr) {
    ASSAY_ASSIGN_OR_RETURN(sessions.base, both.session->LoadForComparison(
                                              *both.base, both.runner));
    return sessions;
  }
  ASSAY_ASSIGN_OR_RETURN(
      sessions.base, both.session->LoadIsolated(*both.base, both.base_runtime));
  ASSAY_ASSIGN_OR_RETURN(
      sessions.run, both.session->LoadIsolated(*both.run, both.run_runtime));
  return sessions;
}

std::vector<double> InNanoseconds(std::vector<double> samples_ms) {
  for (double& sample : samples_ms) sample *= 1e6;
  return samples_ms;
}

// `; most of it in k007_conv2d (conv1): +0.512 of +0.530 ms`.
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

// Which kernels a regression is in, if that can be told.
void FindKernels(const KernelSession& base, const KernelSession& run,
                 const Options& options, reports::Row* row) {
  absl::StatusOr<reports::Attribution> attribution =
      Attribute(base, run, kBudgetsToFindKernels * options.comparison.budget_s,
                options.timing.seed, Clock::Monotonic());
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
  ASSAY_ASSIGN_OR_RETURN(const Sessions sessions, LoadBoth(both));
  CheckedSession* const base = sessions.base.get();
  CheckedSession* const run =
      sessions.run != nullptr ? sessions.run.get() : both.session;
  ASSAY_ASSIGN_OR_RETURN(const Accuracy accuracy, base->Examine());
  if (!accuracy.correct) {
    row->verdict = stats::Verdict::kInconclusive;
    row->reason = absl::StrCat(
        "what it is compared with gives a wrong answer: ", accuracy.problem);
    return absl::OkStatus();
  }
  if (run != both.session) {
    ASSAY_ASSIGN_OR_RETURN(const Accuracy ours, run->Examine());
    if (!ours.correct) {
      MarkWrongOutput(ours.problem, row);
      return absl::OkStatus();
    }
  }
  ASSAY_ASSIGN_OR_RETURN(
      PairedMeasurement paired,
      MeasurePaired(base, run, LimitsFor(options, both.cells, *both.left_s),
                    Clock::Monotonic()));
  *both.left_s += options.comparison.budget_s - paired.spent_s;
  const stats::PairedVerdict& verdict = paired.verdict;
  row->comparison.paired =
      reports::PairedComparison{both.base_digest,
                                InNanoseconds(paired.base_ms),
                                InNanoseconds(paired.run_ms),
                                verdict.change,
                                verdict.lower,
                                verdict.upper,
                                verdict.detectable};
  row->verdict = verdict.verdict;
  row->reason = stats::Describe(verdict);
  // An improvement so uncertain that it may hide a slow-down is none.
  if (verdict.verdict == stats::Verdict::kImproved &&
      !stats::MayPass(verdict, options.comparison.margin)) {
    row->verdict = stats::Verdict::kInconclusive;
    row->reason += ", which is more than the margin";
  }
  if (verdict.verdict == stats::Verdict::kRegressed) {
    progress->Step("looking for the kernel");
    FindKernels({base, both.base->calls}, {run, both.run->calls}, options, row);
  }
  if (!run->problem().empty()) {
    MarkWrongOutput(run->problem(), row);
  } else if (!base->problem().empty()) {
    row->comparison.paired.reset();
    row->verdict = stats::Verdict::kInconclusive;
    row->reason =
        absl::StrCat("of what it is compared with: ", base->problem());
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
