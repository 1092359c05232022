#include "suites/comparison/canary.h"

#include "reports/stats/paired_verdict.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/known_kernel.h"
#include "suites/comparison/measure_paired.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {
namespace {

constexpr double kShare = 0.02;
constexpr int kAttempts = 2;
constexpr double kBudgetSeconds = 5;
// The number of runs is a multiple of this, so that extra work is an integer.
constexpr int64_t kNumberMultiple = 50;

}  // namespace

absl::StatusOr<std::vector<reports::CanaryTrial>> RunCanary(
    const CanaryMode& mode, uint64_t seed) {
  // The times of a compute-bound kernel vary least.
  ASSAY_ASSIGN_OR_RETURN(const KnownKernel kernel, CompileMatmul(mode.threads));
  const KnownPair pair = PairOf(kernel);
  std::vector<reports::CanaryTrial> trials;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    for (const double share : {0.0, kShare}) {
      SamplingOptions sampling;
      sampling.seed = seed + static_cast<uint64_t>(attempt);
      sampling.number_multiple = kNumberMultiple;
      PairedLoads loads(
          LoaderOf(pair, share, *mode.runner, mode.threads, mode.separate),
          sampling, Clock::Monotonic());
      ASSAY_ASSIGN_OR_RETURN(const stats::PairedVerdict verdict,
                             RunToVerdict(loads, {}, {kBudgetSeconds}));
      trials.push_back({share, mode.threads, mode.separate, verdict.verdict,
                        stats::Describe(verdict)});
    }
  }
  return trials;
}

}  // namespace assay::suites
