#include "suites/comparison/canary.h"

#include <memory>
#include <vector>

#include "reports/stats/paired_verdict.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/known_kernel.h"
#include "suites/comparison/measure_paired.h"
#include "suites/sampling/sampler.h"

namespace assay::suites {
namespace {

constexpr double kShare = 0.02;
// About one attempt in a hundred is a false alarm or misses the slow-down.
constexpr int kAttempts = 3;
constexpr double kBudgetSeconds = 5;
// The number of runs is a multiple of this, so that extra work is an integer.
constexpr int64_t kNumberMultiple = 50;

absl::StatusOr<reports::CanaryTrial> Try(const KnownKernel& kernel,
                                         double share, uint64_t seed) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<runtime::Session> pair,
                         LoadPair(kernel));
  SamplingOptions sampling;
  sampling.seed = seed;
  sampling.number_multiple = kNumberMultiple;
  Sampler sampler({{"kernel", pair.get(), 0}, {"copy", pair.get(), 1, share}},
                  sampling, Clock::Monotonic());
  ASSAY_ASSIGN_OR_RETURN(const stats::PairedVerdict verdict,
                         RunToVerdict(sampler, {}, {kBudgetSeconds}));
  return reports::CanaryTrial{share, verdict.verdict, stats::Describe(verdict)};
}

}  // namespace

absl::StatusOr<reports::Canary> RunCanary(uint64_t seed) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<KnownKernel> kernels,
                         CompileKnownKernels());
  // Use the compute-bound kernel, whose times vary least.
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
