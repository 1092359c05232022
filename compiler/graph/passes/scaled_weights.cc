#include "compiler/graph/passes/scaled_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/base/shape.h"

namespace assay::graph {

std::optional<NDArray> ScaledWeights(
    const NDArray& weights,
    const std::function<double(int64_t filter, int64_t channel)>& scale) {
  NDArray scaled = weights.Clone();
  const Shape& shape = scaled.shape();
  const int64_t pairs = shape[0] * shape[1];
  const int64_t taps = pairs == 0 ? 0 : NumElements(shape) / pairs;
  float* w = scaled.data<float>().data();
  for (int64_t o = 0; o < shape[0]; ++o) {
    for (int64_t i = 0; i < shape[1]; ++i) {
      const double s = scale(o, i);
      for (int64_t t = 0; t < taps; ++t, ++w) {
        const auto product = static_cast<float>(*w * s);
        if (!std::isfinite(s) || !std::isfinite(product)) return std::nullopt;
        *w = product;
      }
    }
  }
  return scaled;
}

bool AreFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) {
    return std::fabs(v) <= std::numeric_limits<float>::max();
  });
}

}  // namespace assay::graph
