// SlowKernels: the kernels that made a cell slower, found in the attribution of
// a comparison of two commits (suites/comparison/attribute.h).
//
// A change of 1 % of a network is often a change of 10 % or more of one kernel.
// If only this kernel is judged, a measurement decides sooner, and also beside
// other programs whose noise hides a change of 1 %.
#ifndef ASSAY_CI_BISECT_SEARCH_SLOW_KERNELS_H_
#define ASSAY_CI_BISECT_SEARCH_SLOW_KERNELS_H_

#include <optional>
#include <string>
#include <vector>

#include "reports/result/comparison.h"

namespace assay::ci {

struct SlowKernels {
  // The nodes of the model that they compute.
  std::vector<std::string> nodes;
  // How much longer they take at the bad end.
  double change_ms = 0;
  // The time of all kernels at the good end.
  double whole_ms = 0;
};

// Returns the kernels whose code differs and which are significantly slower,
// largest change first, until the rest of the change is below `margin` of the
// whole time, and so does not matter. Returns nullopt if there are none, if all
// of them together do not matter, or if one of them computes no node, so that
// it has no name that is the same at other commits.
std::optional<SlowKernels> FindSlowKernels(
    const reports::Attribution& attribution, double margin);

// Returns the margin for judging these kernels (stats::PairedOptions::margin):
// `margin`, or half of the change of the kernels if that is less.
double MarginOf(const SlowKernels& kernels, double margin);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_SLOW_KERNELS_H_
