#include "suites/comparison/canary.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/stats/paired_judge.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/checked_pair.h"
#include "suites/comparison/paired_loads.h"
#include "suites/comparison/twin.h"
#include "suites/sampling/profile.h"

namespace assay::suites {
namespace {

constexpr double kShare = 0.02;
constexpr int kAttempts = 2;
constexpr int kProfiledRuns = 21;

}  // namespace

absl::StatusOr<std::vector<reports::CanaryTrial>> RunCanary(
    const CanaryMode& mode, uint64_t seed) {
  // The times of compute-bound kernels vary least.
  ASSAY_ASSIGN_OR_RETURN(const Subject subject,
                         MakeKernelSubject("gemm", mode.threads, mode.target));
  ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact other_layout,
                         CompileLayout(subject, /*layout_seed=*/1));
  const runtime::Artifact twin = MakeTwin(other_layout, /*seed=*/1);
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<runtime::Session> session,
      mode.runner->Load({&subject.artifact}, {mode.threads}));
  ASSAY_RETURN_IF_ERROR(session->SetInputs(subject.examples[0].inputs));
  ASSAY_ASSIGN_OR_RETURN(const Profile profile,
                         ProfileCalls(*session, kProfiledRuns));
  ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact slow_twin,
                         AddCalls(twin, profile.call_ns, kShare, seed));
  const CheckedSession checked(std::move(session), subject.examples);
  std::vector<reports::CanaryTrial> trials;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    for (const double share : {0.0, kShare}) {
      SamplingOptions sampling;
      sampling.seed = seed + static_cast<uint64_t>(attempt);
      CheckedPair pair({&subject.artifact, share > 0 ? &slow_twin : &twin,
                        &checked, mode.runner, mode.runner});
      ASSAY_RETURN_IF_ERROR(pair.ExamineCorrect());
      PairedLoads loads(pair.Loader(), sampling, mode.clock);
      TimeBudget budget = {kTrialSeconds};
      if (share > 0) budget.extra_s = kMaxTrialSeconds - kTrialSeconds;
      double needed_s = 0;
      const auto note = [&](double estimate_s) {
        needed_s = estimate_s;
        if (mode.on_estimate != nullptr) mode.on_estimate(estimate_s);
      };
      ASSAY_ASSIGN_OR_RETURN(const stats::PairedOutcome outcome,
                             RunToVerdict(loads, {}, budget, note));
      ASSAY_RETURN_IF_ERROR(pair.Problem());
      std::string reason = stats::Describe(outcome);
      if (outcome.verdict.verdict == stats::Verdict::kInconclusive) {
        absl::StrAppend(&reason, "; ", NeededText(needed_s));
      }
      trials.push_back({share, mode.threads, !pair.one_session(),
                        outcome.verdict.verdict, std::move(reason)});
      if (!reports::IsSound(trials, mode.threads)) return trials;
    }
  }
  return trials;
}

}  // namespace assay::suites
