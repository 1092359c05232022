#include "suites/tune/search/acceptance.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/memory/memory.h"
#include "reports/stats/summary.h"
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
                                 Clock* clock,
                                 std::unique_ptr<runtime::Session> session)
    : session_(std::move(session), candidates.examples, candidates.rule),
      pair_({candidates.usual, candidates.point, &session_, candidates.runner,
             candidates.runner}),
      loads_(pair_.Loader(), WithSeed(seed), clock) {}

absl::StatusOr<std::unique_ptr<PointComparison>> PointComparison::Start(
    const Candidates& candidates, uint64_t seed, Clock* clock) {
  runtime::LoadOptions load;
  load.threads = candidates.threads;
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         candidates.runner->Load({candidates.usual}, load));
  auto comparison = absl::WrapUnique(
      new PointComparison(candidates, seed, clock, std::move(session)));
  Accuracy usual, point;
  ASSAY_RETURN_IF_ERROR(comparison->pair_.Examine(&usual, &point));
  for (const Accuracy& accuracy : {usual, point}) {
    if (accuracy.correct) continue;
    comparison->wrong_at_start_ = accuracy.problem;
    break;
  }
  return comparison;
}

absl::Status PointComparison::Problem() const {
  return wrong_at_start_.empty() ? pair_.Problem()
                                 : absl::InternalError(wrong_at_start_);
}

absl::StatusOr<TunedComparison> PointComparison::Judge(
    const AcceptanceOptions& options) {
  TimeBudget budget;
  budget.own_s = options.budget_s;
  ASSAY_ASSIGN_OR_RETURN(const stats::PairedOutcome outcome,
                         RunToVerdict(loads_, options.test, budget));
  const stats::PairedVerdict& verdict = outcome.verdict;
  // After few loads, there is no interval.
  TunedComparison comparison;
  comparison.verdict = {
      verdict.verdict, 1 + verdict.change,
      std::max(1 + verdict.lower, TuningVerdict::kUnknownLow),
      std::min(1 + verdict.upper, TuningVerdict::kUnknownHigh)};
  std::vector<double> point, usual;
  for (const PairedLoads::Load& load : loads_.loads()) {
    point.push_back(load.run.fastest_ns);
    usual.push_back(load.base.fastest_ns);
  }
  comparison.point_ns = stats::Median(point);
  comparison.default_ns = stats::Median(usual);
  comparison.loads = loads_.loads();
  return comparison;
}

absl::StatusOr<TunedComparison> CompareWithDefault(
    const Candidates& candidates, const AcceptanceOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::unique_ptr<PointComparison> measured,
      PointComparison::Start(candidates, options.seed, options.clock));
  ASSAY_RETURN_IF_ERROR(measured->Problem());
  ASSAY_ASSIGN_OR_RETURN(TunedComparison comparison, measured->Judge(options));
  ASSAY_RETURN_IF_ERROR(measured->Problem());
  return comparison;
}

}  // namespace assay::suites
