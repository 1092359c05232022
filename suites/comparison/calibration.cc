#include "suites/comparison/calibration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "reports/stats/sign_interval.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/measure_paired.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {
namespace {

// The number of runs is a multiple of this, so that extra work is an integer.
constexpr int64_t kNumberMultiple = 200;
constexpr double kIntervalLevel = 0.99;
constexpr char kHeader[] =
    "regime,kernel,share,seed,verdict,loads,seconds,change,detectable,"
    "log_e_slower,log_e_faster,lower,upper,covered";

}  // namespace

std::vector<Trial> PlanTrials(const CalibrationOptions& options,
                              absl::string_view regime,
                              const std::vector<std::string>& kernels) {
  std::vector<Trial> plan;
  for (size_t i = 0; i < options.shares.size(); ++i) {
    for (int64_t k = 0; k < options.trials[i]; ++k) {
      Trial trial;
      trial.regime = std::string(regime);
      trial.kernel = kernels[static_cast<size_t>(k) % kernels.size()];
      trial.share = options.shares[i];
      plan.push_back(std::move(trial));
    }
  }
  Rng rng(SeedFor(options.seed, regime));
  for (size_t i = plan.size(); i > 1; --i) {
    const int64_t other = rng.UniformInt(0, static_cast<int64_t>(i) - 1);
    std::swap(plan[i - 1], plan[static_cast<size_t>(other)]);
  }
  for (Trial& trial : plan) trial.seed = rng.NextU64();
  return plan;
}

absl::Status RunTrial(PairLoader loader, const CalibrationOptions& options,
                      Clock* clock, Trial* trial) {
  SamplingOptions sampling;
  sampling.seed = trial->seed;
  sampling.number_multiple = kNumberMultiple;
  PairedLoads loads(std::move(loader), sampling, clock);
  ASSAY_ASSIGN_OR_RETURN(const stats::PairedVerdict verdict,
                         RunToVerdict(loads, options.test, {options.budget_s}));
  trial->verdict = verdict.verdict;
  trial->loads = verdict.count;
  trial->seconds = static_cast<double>(loads.spent_nanos()) * 1e-9;
  trial->change = verdict.change;
  trial->detectable = verdict.detectable;
  trial->log_e_slower = verdict.log_e_slower;
  trial->log_e_faster = verdict.log_e_faster;
  while (loads.log_ratios().size() < static_cast<size_t>(kIntervalLoads)) {
    ASSAY_RETURN_IF_ERROR(loads.RunLoad());
  }
  std::vector<double> first = loads.log_ratios();
  first.resize(static_cast<size_t>(kIntervalLoads));
  const stats::MedianInterval interval =
      stats::SignInterval(first, kIntervalLevel);
  const double truth = std::log1p(trial->share);
  trial->lower = std::expm1(interval.lower);
  trial->upper = std::expm1(interval.upper);
  trial->covered = interval.lower <= truth && truth <= interval.upper;
  return absl::OkStatus();
}

std::string TrialHeader() { return absl::StrCat(kHeader, "\n"); }

std::string TrialLine(const Trial& t) {
  const std::vector<std::string> fields = {
      t.regime,
      t.kernel,
      absl::StrCat(t.share),
      absl::StrCat(t.seed),
      std::string(stats::VerdictName(t.verdict)),
      absl::StrCat(t.loads),
      absl::StrCat(t.seconds),
      absl::StrCat(t.change),
      absl::StrCat(t.detectable),
      absl::StrCat(t.log_e_slower),
      absl::StrCat(t.log_e_faster),
      absl::StrCat(t.lower),
      absl::StrCat(t.upper),
      t.covered ? "1" : "0"};
  return absl::StrCat(absl::StrJoin(fields, ","), "\n");
}

absl::StatusOr<std::vector<Trial>> ParseTrials(absl::string_view text) {
  std::vector<Trial> trials;
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i] == kHeader) continue;
    const std::vector<std::string> f = absl::StrSplit(lines[i], ',');
    Trial t;
    int covered = 0;
    const bool sound =
        f.size() == 14 && absl::SimpleAtod(f[2], &t.share) &&
        absl::SimpleAtoi(f[3], &t.seed) && absl::SimpleAtoi(f[5], &t.loads) &&
        absl::SimpleAtod(f[6], &t.seconds) &&
        absl::SimpleAtod(f[7], &t.change) &&
        absl::SimpleAtod(f[8], &t.detectable) &&
        absl::SimpleAtod(f[9], &t.log_e_slower) &&
        absl::SimpleAtod(f[10], &t.log_e_faster) &&
        absl::SimpleAtod(f[11], &t.lower) &&
        absl::SimpleAtod(f[12], &t.upper) && absl::SimpleAtoi(f[13], &covered);
    if (!sound) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", i + 1, " is not a trial: `", lines[i], "`"));
    }
    ASSAY_ASSIGN_OR_RETURN(t.verdict, stats::ParseVerdict(f[4]));
    t.regime = f[0];
    t.kernel = f[1];
    t.covered = covered != 0;
    trials.push_back(std::move(t));
  }
  return trials;
}

}  // namespace assay::suites
