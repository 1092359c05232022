#include "suites/comparison/measure_paired.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "reports/stats/block_design.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// Must be incremented if the observations or the statistics are computed in
// another way, because their error rates must then be measured again.
constexpr int kMethodVersion = 3;

stats::PairedOptions OneOfTwo(stats::PairedOptions options) {
  options.log_e_alarm += std::log(2.0);
  return options;
}

}  // namespace

std::string Describe(const PairedOutcome& outcome) {
  return absl::StrCat(outcome.typical_regressed
                          ? "typical inferences, though not the fastest ones: "
                          : "",
                      stats::Describe(outcome.verdict));
}

LoadJudge::LoadJudge(stats::PairedOptions options)
    : fastest_(OneOfTwo(options)), typical_(OneOfTwo(options)) {}

PairedOutcome LoadJudge::Judge(const PairedLoads& loads, stats::Budget budget) {
  for (; judged_ < loads.loads().size(); ++judged_) {
    fastest_.Add(loads.loads()[judged_].FastestRatio());
    typical_.Add(loads.loads()[judged_].TypicalRatio());
  }
  PairedOutcome outcome;
  outcome.verdict = fastest_.Judge(budget);
  if (outcome.verdict.verdict == stats::Verdict::kRegressed) return outcome;
  const stats::PairedVerdict typical = typical_.Judge(budget);
  if (typical.verdict == stats::Verdict::kRegressed) {
    outcome.verdict = typical;
    outcome.typical_regressed = true;
  }
  return outcome;
}

absl::StatusOr<PairedOutcome> RunToVerdict(PairedLoads& loads,
                                           const stats::PairedOptions& options,
                                           const TimeBudget& budget) {
  LoadJudge judge(options);
  while (true) {
    ASSAY_RETURN_IF_ERROR(loads.RunLoad());
    const double spent_s = static_cast<double>(loads.spent_nanos()) * 1e-9;
    PairedOutcome outcome = judge.Judge(loads, stats::Budget::kLeft);
    const stats::PairedVerdict& verdict = outcome.verdict;
    if (verdict.final) return outcome;
    if (spent_s < budget.own_s) continue;
    const double needed_s = spent_s + verdict.loads_to_go * spent_s /
                                          static_cast<double>(verdict.count);
    // This is also true if the estimate was too low and all time is spent.
    if (needed_s > budget.own_s + budget.more_s) {
      return judge.Judge(loads, stats::Budget::kSpent);
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
