#include "suites/tune/search/acceptance.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/checked_pair.h"
#include "suites/comparison/run_to_verdict.h"

namespace assay::suites {
namespace {

double Median(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

absl::StatusOr<Comparison> CompareWithDefault(
    const Candidates& candidates, const AcceptanceOptions& options) {
  runtime::LoadOptions load;
  load.threads = candidates.threads;
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         candidates.runner->Load({candidates.usual}, load));
  const CheckedSession checked(std::move(session), candidates.examples,
                               candidates.rule);
  CheckedPair pair({candidates.usual, candidates.point, &checked,
                    candidates.runner, candidates.runner});
  ASSAY_RETURN_IF_ERROR(pair.ExamineCorrect());
  SamplingOptions sampling;
  sampling.seed = options.seed;
  PairedLoads loads(pair.Loader(), std::move(sampling), Clock::Monotonic());
  TimeBudget budget;
  budget.own_s = options.budget_s;
  ASSAY_ASSIGN_OR_RETURN(const stats::PairedOutcome outcome,
                         RunToVerdict(loads, options.test, budget));
  ASSAY_RETURN_IF_ERROR(pair.Problem());
  const stats::PairedVerdict& verdict = outcome.verdict;
  // After few loads, there is no interval.
  Comparison comparison;
  comparison.verdict = {
      verdict.verdict, 1 + verdict.change,
      std::max(1 + verdict.lower, TuningVerdict::kUnknownLow),
      std::min(1 + verdict.upper, TuningVerdict::kUnknownHigh)};
  std::vector<double> point, usual;
  for (const PairedLoads::Load& load : loads.loads()) {
    point.push_back(load.run.fastest_ns);
    usual.push_back(load.base.fastest_ns);
  }
  comparison.point_ns = Median(std::move(point));
  comparison.default_ns = Median(std::move(usual));
  comparison.loads = loads.loads();
  return comparison;
}

}  // namespace assay::suites
