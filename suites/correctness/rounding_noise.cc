#include "suites/correctness/rounding_noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

constexpr uint64_t kRuns = 3;

double LargestChange(const NDArray& a, const NDArray& b) {
  if (!a.dtype().is_float() || a.shape() != b.shape()) return 0;
  const std::vector<double> x = AsDoubles(a), y = AsDoubles(b);
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double change = std::abs(x[i] - y[i]);
    if (std::isfinite(change)) largest = std::max(largest, change);
  }
  return largest;
}

}  // namespace

absl::StatusOr<std::vector<double>> RoundingNoise(
    const Model& model, const runtime::NamedTensors& inputs) {
  std::vector<NDArray> values;
  for (const runtime::NamedTensor& input : inputs) {
    values.push_back(input.value);
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NDArray> exact,
                         graph::Evaluate(*model.graph, values));
  std::vector<double> noise(exact.size());
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    const graph::ScopedRoundingNoise rounding(seed * 0x9e3779b97f4a7c15);
    ASSAY_ASSIGN_OR_RETURN(const std::vector<NDArray> outputs,
                           graph::Evaluate(*model.graph, values));
    for (size_t i = 0; i < noise.size(); ++i) {
      noise[i] = std::max(noise[i], LargestChange(outputs[i], exact[i]));
    }
  }
  return noise;
}

}  // namespace assay::suites
