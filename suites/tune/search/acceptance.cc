#include "suites/tune/search/acceptance.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/memory/memory.h"
#include "reports/stats/summary.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/run_to_verdict.h"

namespace assay::suites {
namespace {

SamplingOptions WithSeed(uint64_t seed) {
  SamplingOptions sampling;
  sampling.seed = seed;
  return sampling;
}

}  // namespace

PointComparison::PointComparison(const Candidates& candidates, uint64_t seed,
                                 std::unique_ptr<runtime::Session> session)
    : session_(std::move(session), candidates.examples, candidates.rule),
      pair_({candidates.usual, candidates.point, &session_, candidates.runner,
             candidates.runner}),
      loads_(pair_.Loader(), WithSeed(seed), Clock::Monotonic()) {}

absl::StatusOr<std::unique_ptr<PointComparison>> PointComparison::Start(
    const Candidates& candidates, uint64_t seed) {
  runtime::LoadOptions load;
  load.threads = candidates.threads;
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         candidates.runner->Load({candidates.usual}, load));
  auto comparison = absl::WrapUnique(
      new PointComparison(candidates, seed, std::move(session)));
  ASSAY_RETURN_IF_ERROR(comparison->pair_.ExamineCorrect());
  return comparison;
}

absl::StatusOr<TunedComparison> CompareWithDefault(
    const Candidates& candidates, const AcceptanceOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<PointComparison> measured,
                         PointComparison::Start(candidates, options.seed));
  PairedLoads& loads = measured->loads();
  TimeBudget budget;
  budget.own_s = options.budget_s;
  ASSAY_ASSIGN_OR_RETURN(const stats::PairedOutcome outcome,
                         RunToVerdict(loads, options.test, budget));
  ASSAY_RETURN_IF_ERROR(measured->Problem());
  const stats::PairedVerdict& verdict = outcome.verdict;
  // After few loads, there is no interval.
  TunedComparison comparison;
  comparison.verdict = {
      verdict.verdict, 1 + verdict.change,
      std::max(1 + verdict.lower, TuningVerdict::kUnknownLow),
      std::min(1 + verdict.upper, TuningVerdict::kUnknownHigh)};
  std::vector<double> point, usual;
  for (const PairedLoads::Load& load : loads.loads()) {
    point.push_back(load.run.fastest_ns);
    usual.push_back(load.base.fastest_ns);
  }
  comparison.point_ns = stats::Median(point);
  comparison.default_ns = stats::Median(usual);
  comparison.loads = loads.loads();
  return comparison;
}

}  // namespace assay::suites
