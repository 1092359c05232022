#include "suites/trials/trial.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "reports/stats/false_discovery.h"
#include "reports/stats/paired_judge.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/run_to_verdict.h"

namespace assay::suites {
namespace {

// Layout seeds of twins are 1 to this number.
constexpr int64_t kLayouts = 30;

bool IsAlarm(stats::Verdict verdict) {
  return verdict == stats::Verdict::kRegressed ||
         verdict == stats::Verdict::kImproved;
}

// Returns true if a test at the alarm level of a suite would also have ended in
// an alarm.
absl::StatusOr<bool> GoOnForSuite(PairedLoads& loads,
                                  const CalibrationOptions& options) {
  stats::PairedOptions suite = options.test;
  suite.log_e_alarm =
      stats::LogEValueForOneOf(kSuiteCells, kSuiteFalseDiscoveryRate);
  stats::PairedJudge judge(suite);
  for (const PairedLoads::Load& load : loads.loads()) judge.Add(load.Ratios());
  stats::PairedOutcome outcome = judge.Judge(stats::Budget::kLeft);
  while (!outcome.verdict.final) {
    if (static_cast<double>(loads.spent_nanos()) * 1e-9 >= options.budget_s) {
      outcome = judge.Judge(stats::Budget::kSpent);
      break;
    }
    ASSAY_RETURN_IF_ERROR(loads.RunLoad());
    judge.Add(loads.loads().back().Ratios());
    outcome = judge.Judge(stats::Budget::kLeft);
  }
  return IsAlarm(outcome.verdict.verdict);
}

}  // namespace

std::vector<Trial> PlanTrials(const CalibrationOptions& options,
                              absl::string_view regime, int processes,
                              const std::vector<Combination>& combinations) {
  std::multimap<double, Trial> plan;  // by random position
  const std::string name = absl::StrCat(regime, processes);
  for (const TrialCount& count : options.counts) {
    for (int64_t k = 0; k < count.trials; ++k) {
      const Combination& combination =
          combinations[static_cast<size_t>(k) % combinations.size()];
      Rng rng(SeedFor(options.seed, absl::StrCat(name, " ", combination.subject,
                                                 " ", combination.threads, " ",
                                                 count.share, " ", k)));
      Trial trial;
      trial.regime = std::string(regime);
      trial.subject = combination.subject;
      trial.threads = combination.threads;
      trial.processes = processes;
      trial.share = count.share;
      trial.layout = static_cast<uint64_t>(rng.UniformInt(1, kLayouts));
      trial.seed = rng.NextU64();
      plan.emplace(static_cast<double>(rng.NextU64()), std::move(trial));
    }
  }
  std::vector<Trial> trials;
  for (auto& [position, trial] : plan) trials.push_back(std::move(trial));
  return trials;
}

bool SameParameters(const Trial& a, const Trial& b) {
  return a.seed == b.seed && a.regime == b.regime && a.subject == b.subject &&
         a.threads == b.threads && a.processes == b.processes &&
         a.share == b.share && a.layout == b.layout;
}

absl::Status RunTrial(PairLoader loader, int64_t number_multiple,
                      const CalibrationOptions& options, Clock* clock,
                      Trial* trial) {
  SamplingOptions sampling;
  sampling.seed = trial->seed;
  sampling.number_multiple = number_multiple;
  PairedLoads loads(std::move(loader), sampling, clock);
  ASSAY_ASSIGN_OR_RETURN(
      const stats::PairedOutcome outcome,
      RunToVerdict(loads, options.test,
                   {options.budget_s, 0,
                    std::max(0.0, options.max_budget_s - options.budget_s)}));
  const stats::PairedVerdict& verdict = outcome.verdict;
  trial->typical = outcome.typical_regressed;
  trial->verdict = verdict.verdict;
  trial->loads = verdict.count;
  trial->seconds = static_cast<double>(loads.spent_nanos()) * 1e-9;
  trial->change = verdict.change;
  trial->lower = verdict.lower;
  trial->upper = verdict.upper;
  trial->detectable = verdict.detectable;
  if (trial->share == 0 && IsAlarm(verdict.verdict)) {
    ASSAY_ASSIGN_OR_RETURN(trial->suite_alarm, GoOnForSuite(loads, options));
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
