#include "ci/bisect/search/slow_kernels.h"

#include <algorithm>

namespace assay::ci {
namespace {

// The range of margins for which verdicts are defined (--margin).
constexpr double kLeastMargin = 0.0005;
constexpr double kLargestMargin = 0.5;

}  // namespace

std::optional<SlowKernels> FindSlowKernels(
    const reports::Attribution& attribution, double margin) {
  SlowKernels slow;
  for (const reports::KernelChange& kernel : attribution.kernels) {
    slow.whole_ms += kernel.base_ms;
  }
  const double matters_ms = margin * slow.whole_ms;
  // Ordered by the size of the change.
  for (const reports::KernelChange& kernel : attribution.kernels) {
    if (kernel.lower_ms <= 0 || kernel.same_code) continue;
    if (!slow.nodes.empty() &&
        attribution.whole_ms - slow.change_ms < matters_ms) {
      break;
    }
    if (kernel.sources.empty()) return std::nullopt;
    slow.nodes.insert(slow.nodes.end(), kernel.sources.begin(),
                      kernel.sources.end());
    slow.base_ms += kernel.base_ms;
    slow.change_ms += kernel.change_ms;
  }
  if (slow.base_ms <= 0 || slow.change_ms < matters_ms) return std::nullopt;
  return slow;
}

double MarginOf(const SlowKernels& kernels, double margin) {
  const double half_change = kernels.change_ms / kernels.base_ms / 2;
  const double same_time = margin * kernels.whole_ms / kernels.base_ms;
  return std::clamp(std::min(same_time, half_change), kLeastMargin,
                    kLargestMargin);
}

}  // namespace assay::ci
