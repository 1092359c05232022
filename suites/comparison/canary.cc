#include "suites/comparison/canary.h"

#include <utility>

#include "reports/stats/paired_verdict.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/known_kernel.h"
#include "suites/comparison/paired_sampler.h"

namespace assay::suites {
namespace {

constexpr double kShare = 0.02;
// Each is a false alarm, or misses the slow-down, about once in a hundred.
constexpr int kAttempts = 3;
constexpr double kBudgetSeconds = 5;
// Runs of the base for which 2 % more is a whole number.
constexpr int64_t kNumberMultiple = 50;

absl::StatusOr<reports::CanaryTrial> Try(const KnownKernel& kernel,
                                         double share, uint64_t seed) {
  ASSAY_ASSIGN_OR_RETURN(KnownPair pair, LoadPair(kernel, share));
  PairedOptions sampling;
  sampling.seed = seed;
  sampling.number_multiple = kNumberMultiple;
  PairedSampler sampler({std::move(pair.base), std::move(pair.changed)},
                        sampling, Clock::Monotonic());
  ASSAY_ASSIGN_OR_RETURN(const stats::PairedVerdict verdict,
                         RunToVerdict(sampler, {}, {kBudgetSeconds}));
  return reports::CanaryTrial{share, verdict.verdict, stats::Describe(verdict)};
}

}  // namespace

absl::StatusOr<reports::Canary> RunCanary(uint64_t seed) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<KnownKernel> kernels,
                         CompileKnownKernels());
  // Bound by arithmetic: the steadiest.
  const KnownKernel& kernel = kernels.back();
  reports::Canary canary;
  for (int attempt = 0; attempt < kAttempts && !IsSound(canary); ++attempt) {
    const uint64_t attempt_seed = seed + static_cast<uint64_t>(attempt);
    ASSAY_ASSIGN_OR_RETURN(canary.unchanged, Try(kernel, 0, attempt_seed));
    ASSAY_ASSIGN_OR_RETURN(canary.slowed, Try(kernel, kShare, attempt_seed));
  }
  return canary;
}

}  // namespace assay::suites
