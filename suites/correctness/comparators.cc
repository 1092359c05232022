#include "suites/correctness/comparators.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/near_ties.h"

namespace assay::suites {
namespace {

bool Always(const ComparedOutputs& /*compared*/) { return true; }

bool HasSensitivity(const ComparedOutputs& compared) {
  return compared.sensitivity != nullptr;
}

bool MakesDecisions(const ComparedOutputs& compared) {
  return HasSensitivity(compared) &&
         absl::c_any_of(compared.sensitivity->row_axes(),
                        [](const auto& axis) { return axis.has_value(); }) &&
         absl::c_none_of(compared.rule,
                         [](const OutputRule& r) { return r.in_steps; });
}

absl::StatusOr<Accuracy> AcceptBounds(ComparedOutputs* compared) {
  return CheckOutputs(compared->outputs, compared->expected, compared->rule);
}

absl::StatusOr<Accuracy> AcceptNoise(ComparedOutputs* compared) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<OutputNoise> noise,
                         compared->sensitivity->Measure());
  CheckRule& rule = compared->rule;
  rule.resize(std::max(rule.size(), noise.size()));
  for (size_t i = 0; i < noise.size(); ++i) rule[i].noise = std::move(noise[i]);
  return AcceptBounds(compared);
}

absl::StatusOr<Accuracy> AcceptNearTies(ComparedOutputs* compared) {
  TieCheck check;
  // Earlier calls may have made more runs, but the result must not depend on
  // them.
  for (size_t runs = kNoiseRuns; runs <= kMaxNoiseRuns; ++runs) {
    ASSAY_ASSIGN_OR_RETURN(std::vector<runtime::NamedTensors> answers,
                           compared->sensitivity->Answers(runs));
    answers.insert(answers.begin(), compared->expected);
    check = CheckNearTies(compared->outputs, answers,
                          compared->sensitivity->row_axes(), compared->rule);
    if (check.accuracy.correct || check.is_far) break;
  }
  return std::move(check.accuracy);
}

struct Comparator {
  bool (*applies)(const ComparedOutputs& compared);
  absl::StatusOr<Accuracy> (*accept)(ComparedOutputs* compared);
};

// In the order in which they are tried.
constexpr Comparator kComparators[] = {
    {Always, AcceptBounds},
    {HasSensitivity, AcceptNoise},
    {MakesDecisions, AcceptNearTies},
};

}  // namespace

absl::StatusOr<Accuracy> AcceptOutputs(ComparedOutputs compared) {
  Accuracy verdict;
  for (const Comparator& comparator : kComparators) {
    if (!comparator.applies(compared)) continue;
    ASSAY_ASSIGN_OR_RETURN(verdict, comparator.accept(&compared));
    if (verdict.correct) break;
  }
  return verdict;
}

}  // namespace assay::suites
