#include "reports/stats/compare.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/check.h"

namespace assay::stats {
namespace {

std::string Percent(double fraction) {
  return absl::StrFormat("%.1f %%", 100 * fraction);
}

}  // namespace

Screening Screen(const Summary& run, const Summary& baseline,
                 bool environment_changed) {
  CHECK_GT(run.median, 0);
  CHECK_GT(baseline.median, 0);
  Screening result;
  result.delta = run.median / baseline.median - 1;
  result.threshold =
      std::max(kSmallestThreshold,
               kSigmas * std::hypot(run.robust_sigma, baseline.robust_sigma) /
                   baseline.median);

  if (run.count < kMinSamples || baseline.count < kMinSamples) {
    const bool is_run = run.count < kMinSamples;
    result.verdict = Verdict::kInconclusive;
    result.reason = absl::StrCat("the ", is_run ? "run" : "baseline", " has ",
                                 is_run ? run.count : baseline.count,
                                 " samples; a comparison needs ", kMinSamples);
    return result;
  }
  if (std::abs(result.delta) > result.threshold) {
    result.verdict =
        result.delta > 0 ? Verdict::kRegressed : Verdict::kImproved;
    result.reason = absl::StrCat(Percent(std::abs(result.delta)),
                                 result.delta > 0 ? " slower" : " faster",
                                 " than the baseline; the threshold is ",
                                 Percent(result.threshold));
    if (environment_changed) {
      result.verdict = Verdict::kEnvironmentChanged;
      absl::StrAppend(&result.reason,
                      "; the environment differs from the baseline's");
    }
    return result;
  }
  if (result.threshold > kLargestThreshold) {
    result.verdict = Verdict::kInconclusive;
    result.reason =
        absl::StrCat("the samples scatter so much that a change below ",
                     Percent(result.threshold), " would not be seen");
    return result;
  }
  result.verdict = Verdict::kPass;
  return result;
}

}  // namespace assay::stats
