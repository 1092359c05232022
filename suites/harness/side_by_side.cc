#include "suites/harness/side_by_side.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/render/attribution_table.h"
#include "reports/stats/false_discovery.h"
#include "reports/stats/paired_judge.h"
#include "reports/stats/tail_sequence.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/align_kernels.h"
#include "suites/comparison/attribute.h"
#include "suites/comparison/paired_loads.h"
#include "suites/comparison/run_to_verdict.h"

namespace assay::suites {
namespace {

// Time limit of an attribution to kernels, as a multiple of the budget of a
// row. Regressions are rare, and attribution takes more samples than detection.
constexpr double kBudgetsToFindKernels = 3;

stats::PairedOptions TestOptions(double margin, const SideBySide& both) {
  stats::PairedOptions test;
  test.margin = margin;
  test.log_e_alarm =
      std::max(test.log_e_alarm,
               stats::LogEValueForOneOf(both.cells, both.false_discovery_rate));
  return test;
}

reports::PairedComparison ComparisonOf(
    const std::string& base_digest, const std::vector<PairedLoads::Load>& loads,
    const stats::PairedOutcome& outcome) {
  reports::PairedComparison comparison;
  comparison.artifact_digest = base_digest;
  for (const PairedLoads::Load& load : loads) {
    const bool typical = outcome.typical_regressed;
    comparison.base_ns.push_back(typical ? load.base.typical_ns
                                         : load.base.fastest_ns);
    comparison.run_ns.push_back(typical ? load.run.typical_ns
                                        : load.RunNanos());
  }
  comparison.change = outcome.verdict.change;
  comparison.lower = outcome.verdict.lower;
  comparison.upper = outcome.verdict.upper;
  comparison.detectable = outcome.verdict.detectable;
  return comparison;
}

// With this evidence for a slower tail, more loads are taken to decide. In
// equal programs, it is rarer than one in kTailSuspicion.
constexpr double kTailSuspicion = 3;

// Tests the tails of the inferences of all loads. Takes more loads within
// `budget_s` as long as a slower tail is suspected and not proven. Returns
// nothing if the samples are not single inferences.
absl::StatusOr<std::optional<stats::TailEvidence>> TestTail(PairedLoads& loads,
                                                            double log_e_alarm,
                                                            double budget_s) {
  stats::TailSequence tail;
  size_t added = 0;
  while (true) {
    for (; added < loads.loads().size(); ++added) {
      const PairedLoads::Load& load = loads.loads()[added];
      if (load.base.inference_ns.size() != load.run.inference_ns.size()) {
        return std::nullopt;
      }
      tail.Add(load.base.inference_ns, load.run.inference_ns);
    }
    const stats::TailEvidence evidence = tail.Evidence();
    if (evidence.inferences == 0) return std::nullopt;
    const double spent_s = static_cast<double>(loads.spent_nanos()) * 1e-9;
    if (evidence.log_e < std::log(kTailSuspicion) ||
        evidence.log_e >= log_e_alarm || spent_s >= budget_s) {
      return evidence;
    }
    ASSAY_RETURN_IF_ERROR(loads.RunLoad());
  }
}

// Returns true if all kernels of both artifacts are known to be the same
// machine code, called equally often.
bool SameKernels(const runtime::Artifact& a, const runtime::Artifact& b) {
  const auto digests = [](const runtime::Artifact& artifact) {
    std::multiset<std::string> digests;
    for (const runtime::KernelCall& call : artifact.calls) {
      digests.insert(call.code_digest);
    }
    return digests;
  };
  const std::multiset<std::string> kernels = digests(a);
  return kernels.count("") == 0 && kernels == digests(b);
}

// Returns e.g. `; most of it in k007_conv2d (conv1): +0.512 of +0.530 ms`.
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

// Attributes a regression to kernels, if possible. The fastest inferences tell
// the kernels apart.
void FindKernels(const SideBySide& both, PairedLoads& loads, double precision,
                 double budget_s, SideBySideResult* result) {
  std::string& reason = result->judgement.reason;
  absl::StatusOr<reports::Attribution> attribution =
      Attribute(loads, both.pair.base->calls, both.pair.run->calls, precision,
                kBudgetsToFindKernels * budget_s);
  if (!attribution.ok()) {
    absl::StrAppend(&reason, "; not attributed to kernels: ",
                    attribution.status().message());
    return;
  }
  if (attribution->whole_lower_ms <= 0) {
    reason += "; the fastest inferences do not show it, so no kernel is named";
    return;
  }
  reason += MostOfIt(*attribution);
  result->paired->attribution = *std::move(attribution);
}

Judgement Inconclusive(const std::string& reason) {
  return {stats::Verdict::kInconclusive, reason};
}

// Returns the calls that are judged: with --node, those that compute one of the
// nodes, or nodes that are fused with it in one of the artifacts, and with
// --changed_kernels, those whose code differs. Returns NotFound if no kernel of
// both artifacts computes the nodes.
absl::StatusOr<JudgedCalls> JudgedCallsOf(const ComparisonOptions& options,
                                          const runtime::Artifact& base,
                                          const runtime::Artifact& run) {
  const std::vector<std::string>& nodes = options.nodes;
  JudgedCalls judged;
  if (nodes.empty() && !options.changed_kernels) return judged;
  bool all = true;
  for (const AlignedKernels& part : AlignKernels(base.calls, run.calls)) {
    const bool is_judged =
        nodes.empty() ? !part.same_code
                      : absl::c_any_of(part.sources, [&](const auto& source) {
                          return absl::c_linear_search(nodes, source);
                        });
    if (!is_judged) {
      all = false;
      continue;
    }
    judged.base.insert(judged.base.end(), part.base.begin(), part.base.end());
    judged.run.insert(judged.run.end(), part.run.begin(), part.run.end());
  }
  if (!nodes.empty() && (judged.base.empty() || judged.run.empty())) {
    return absl::NotFoundError(
        absl::StrCat("no kernel of both artifacts computes `",
                     absl::StrJoin(nodes, "`, `"), "`"));
  }
  return all ? JudgedCalls() : judged;
}

// Attributes the change to kernels if it is asked for.
void AttributeIfWanted(const SideBySide& both, const ComparisonOptions& options,
                       PairedLoads& loads, SideBySideResult* result) {
  // The kernels are given.
  if (!options.nodes.empty()) return;
  const stats::Verdict verdict = result->judgement.verdict;
  if (verdict == stats::Verdict::kInconclusive && options.attribute_undecided) {
    auto attribution =
        Attribute(loads, both.pair.base->calls, both.pair.run->calls,
                  options.attribution_precision, /*budget_s=*/0);
    if (attribution.ok()) result->paired->attribution = *std::move(attribution);
  }
  if (verdict == stats::Verdict::kRegressed) {
    FindKernels(both, loads, options.attribution_precision, options.budget_s,
                result);
  }
}

}  // namespace

absl::StatusOr<SideBySideResult> CompareSideBySide(
    const SideBySide& both, const ComparisonOptions& options, uint64_t seed,
    Progress& progress) {
  constexpr char kOther[] = "the artifact that it is compared with";
  progress.Step("measuring side by side");
  CheckedPair pair(both.pair);
  Accuracy theirs, ours;
  ASSAY_RETURN_IF_ERROR(pair.Examine(&theirs, &ours));
  SideBySideResult result;
  if (!theirs.correct) {
    result.judgement = Inconclusive(
        absl::StrCat(kOther, " gives a wrong answer: ", theirs.problem));
    return result;
  }
  if (!ours.correct) {
    result.judgement = WrongOutput(ours.problem);
    return result;
  }
  SamplingOptions sampling;
  sampling.seed = seed;
  absl::StatusOr<JudgedCalls> judged_calls =
      JudgedCallsOf(options, *both.pair.base, *both.pair.run);
  if (!judged_calls.ok()) {
    result.judgement =
        Inconclusive(std::string(judged_calls.status().message()));
    return result;
  }
  PairedLoads loads(pair.Loader(), std::move(sampling), Clock::Monotonic(),
                    *std::move(judged_calls));
  double needed_s = 0;
  const auto note = [&](double estimate_s) {
    needed_s = estimate_s;
    progress.Step(
        absl::StrCat("measuring side by side, ", NeededText(estimate_s)));
  };
  const double own_s = options.budget_s;
  const stats::PairedOptions test = TestOptions(options.margin, both);
  absl::StatusOr<stats::PairedOutcome> judgement_of_loads = RunToVerdict(
      loads, test,
      {own_s, *both.left_s, std::max(0.0, options.max_budget_s - own_s)}, note);
  if (absl::IsUnimplemented(judgement_of_loads.status())) {
    result.judgement = Inconclusive(absl::StrCat(
        "kernels were not judged: ", judgement_of_loads.status().message()));
    return result;
  }
  ASSAY_ASSIGN_OR_RETURN(const stats::PairedOutcome outcome,
                         std::move(judgement_of_loads));
  const std::vector<PairedLoads::Load> judged = loads.loads();
  // A program that regressed is reported anyway.
  std::optional<stats::TailEvidence> tail;
  if (outcome.verdict.verdict != stats::Verdict::kRegressed &&
      options.nodes.empty()) {
    ASSAY_ASSIGN_OR_RETURN(tail, TestTail(loads, test.log_e_alarm, own_s));
  }
  // Time beyond the budgets is nobody's.
  *both.left_s =
      std::max(0.0, *both.left_s + own_s -
                        static_cast<double>(loads.spent_nanos()) * 1e-9);
  result.paired = ComparisonOf(both.base_digest, judged, outcome);
  result.paired->nodes = options.nodes;
  result.paired->tail = tail;
  result.paired->tail_slower =
      tail.has_value() && tail->log_e >= test.log_e_alarm;
  Judgement& judgement = result.judgement;
  judgement = {outcome.verdict.verdict, stats::Describe(outcome)};
  if (!options.nodes.empty()) {
    absl::StrAppend(&judgement.reason, "; only the kernels of `",
                    absl::StrJoin(options.nodes, "`, `"), "` were judged");
  }
  if (judgement.verdict == stats::Verdict::kInconclusive) {
    absl::StrAppend(&judgement.reason, "; ", NeededText(needed_s),
                    ", more than --max_budget");
  }
  // An improvement that is too uncertain to exclude a slow-down does not count.
  if (judgement.verdict == stats::Verdict::kImproved &&
      !stats::MayPass(outcome.verdict, options.margin)) {
    judgement.verdict = stats::Verdict::kInconclusive;
    judgement.reason += ", which is more than the margin";
  }
  if (result.paired->tail_slower) {
    absl::StrAppend(&judgement.reason, "; ", stats::Describe(*tail));
  }
  AttributeIfWanted(both, options, loads, &result);
  result.paired->seconds = static_cast<double>(loads.spent_nanos()) * 1e-9;
  if (judgement.verdict == stats::Verdict::kRegressed) {
    // With one runtime, only the order and the memory of the kernels differ.
    if (both.pair.base_runner == both.pair.run_runner &&
        SameKernels(*both.pair.base, *both.pair.run)) {
      judgement.verdict = stats::Verdict::kInconclusive;
    }
  }
  if (!pair.run_problem().empty()) {
    return SideBySideResult{WrongOutput(pair.run_problem()), std::nullopt};
  }
  if (!pair.base_problem().empty()) {
    return SideBySideResult{
        Inconclusive(absl::StrCat(kOther, ": ", pair.base_problem())),
        std::nullopt};
  }
  return result;
}

}  // namespace assay::suites
