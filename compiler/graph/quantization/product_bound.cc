#include "compiler/graph/quantization/product_bound.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/element.h"

namespace assay::graph {
namespace {

// The largest distance of a byte of type `dtype` from the zero point.
int64_t MaxDistance(DType dtype, Value zero) {
  const int64_t low = dtype.is_int() ? -128 : 0;
  const std::optional<int64_t> known = IntSplatOf(zero);
  return known.has_value() ? std::max(*known - low, low + 255 - *known) : 255;
}

}  // namespace

double MaxSumOfProducts(const Node* node, const QuantizedValue& x,
                        const QuantizedValue& w) {
  const Shape& shape = w.q.type().shape;
  // Filters vary along the last axis of a matmul, otherwise along the first.
  const bool last = node->kind() == OpKind::kMatmul;
  const int64_t filters = last ? shape.back() : shape[0];
  if (filters == 0) return 0;
  const int64_t matrix =
      last ? shape[shape.size() - 2] * filters : w.q.type().num_elements();
  const auto most = static_cast<double>(MaxDistance(x.q.type().dtype, x.zero));
  const std::optional<int64_t> zero = IntSplatOf(w.zero);
  const NDArray* weights = ConstantOf(w.q);
  if (weights == nullptr || !zero.has_value()) {
    return most * static_cast<double>(MaxDistance(w.q.type().dtype, w.zero)) *
           static_cast<double>(matrix / filters);
  }
  // The sums of the distances of each filter; a stack of matrices has several.
  const int64_t count = weights->num_elements() / matrix * filters;
  std::vector<int64_t> sums(count, 0);
  for (int64_t i = 0; i < weights->num_elements(); ++i) {
    const int64_t filter =
        last ? i / matrix * filters + i % filters : i / (matrix / filters);
    sums[filter] += std::abs(LoadInt(*weights, i) - *zero);
  }
  return most *
         static_cast<double>(*std::max_element(sums.begin(), sums.end()));
}

}  // namespace assay::graph
