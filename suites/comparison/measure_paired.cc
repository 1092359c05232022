#include "suites/comparison/measure_paired.h"

#include "absl/strings/str_cat.h"
#include "reports/stats/block_design.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// Must be incremented if the observations or the statistics are computed in
// another way, because their error rates must then be measured again.
constexpr int kMethodVersion = 3;

}  // namespace

absl::StatusOr<stats::PairedOutcome> RunToVerdict(
    PairedLoads& loads, const stats::PairedOptions& options,
    const TimeBudget& budget) {
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
    // This is also true if the estimate was too low and all time is spent.
    if (needed_s > budget.own_s + budget.more_s) {
      return judge.Judge(stats::Budget::kSpent);
    }
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
