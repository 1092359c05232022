#include "ci/bisect/search/slow_kernels.h"

#include <algorithm>

namespace assay::ci {
namespace {

// The least margin for which verdicts are defined (--margin).
constexpr double kLeastMargin = 0.0005;

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
    slow.change_ms += kernel.change_ms;
  }
  if (slow.nodes.empty() || slow.change_ms < matters_ms) return std::nullopt;
  return slow;
}

double MarginOf(const SlowKernels& kernels, double margin) {
  return std::max(kLeastMargin,
                  std::min(margin, kernels.change_ms / kernels.whole_ms / 2));
}

}  // namespace assay::ci
