// LargerOf and SmallerOf: the maximum and minimum of two numbers as ONNX and
// numpy define them. NaN is passed on, unlike by std::max, std::min and
// std::fmax.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_MAX_MIN_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_MAX_MIN_H_

#include <algorithm>
#include <cmath>

namespace assay::graph::reference {

inline double LargerOf(double a, double b) {
  return std::isnan(a) ? a : std::isnan(b) ? b : std::max(a, b);
}

inline double SmallerOf(double a, double b) {
  return std::isnan(a) ? a : std::isnan(b) ? b : std::min(a, b);
}

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_MAX_MIN_H_
