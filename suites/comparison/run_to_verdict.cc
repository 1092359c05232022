#include "suites/comparison/run_to_verdict.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "reports/stats/block_design.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/text/duration.h"

namespace assay::suites {
namespace {

// Must be incremented if the observations or the statistics are computed in
// another way, because their error rates must then be measured again.
constexpr int kMethodVersion = 3;

}  // namespace

std::string NeededText(double needed_s) {
  return absl::StrCat("needs about ", runtime::HumanSeconds(needed_s),
                      " on this machine");
}

absl::StatusOr<stats::PairedOutcome> RunToVerdict(
    PairedLoads& loads, const stats::PairedOptions& options,
    const TimeBudget& budget, const OnEstimate& on_estimate) {
  stats::PairedJudge judge(options);
  while (true) {
    ASSAY_RETURN_IF_ERROR(loads.RunLoad());
    judge.Add(loads.loads().back().Ratios());
    const double spent_s = static_cast<double>(loads.spent_nanos()) * 1e-9;
    const stats::PairedOutcome outcome = judge.Judge(stats::Budget::kLeft);
    const stats::PairedVerdict& verdict = outcome.verdict;
    if (verdict.final) return outcome;
    if (spent_s < budget.own_s) continue;
    const double needed_s = spent_s + verdict.loads_to_go * spent_s /
                                          static_cast<double>(verdict.count);
    if (on_estimate != nullptr) on_estimate(needed_s);
    double limit_s = budget.own_s + budget.more_s;
    const bool too_early = verdict.count < kMinLoadsForEstimate;
    // If so many loads are all equal, the clock is too coarse, and more loads
    // will not help.
    if (too_early || std::isfinite(verdict.detectable)) {
      limit_s += budget.extra_s;
    }
    if (too_early && budget.extra_s > 0 && spent_s < limit_s) continue;
    // This is also true if the estimate was too low and all time is spent.
    if (needed_s > limit_s) return judge.Judge(stats::Budget::kSpent);
  }
}

std::string DescribeMethod(const stats::PairedOptions& options) {
  return absl::StrCat(
      "version: ", kMethodVersion, "\nmargin: ", options.margin,
      "\nlevel: ", options.level, "\nconcentration: ", options.concentration,
      "\nlog_e_alarm: ", options.log_e_alarm,
      "\nrounds_per_block: ", stats::RoundsPerBlock(2),
      "\nmin_run_nanos: ", kMinRunNanos,
      "\nrounds_per_input: ", kRoundsPerInput,
      "\nmax_rounds_per_input: ", kMaxRoundsPerInput,
      "\nmax_load_nanos: ", kMaxLoadNanos, "\nstability: ", kStability, "\n");
}

std::string MethodDigest(const stats::PairedOptions& options) {
  return Sha256Hex(DescribeMethod(options)).substr(0, 12);
}

}  // namespace assay::suites
