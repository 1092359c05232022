#include <algorithm>
#include <cmath>
#include <vector>

#include "compiler/graph/reference/element.h"
#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {
namespace {

int64_t Product(const Shape& shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i) product *= shape[i];
  return product;
}

}  // namespace

NDArray Softmax(int64_t axis, bool log, const NDArray& x) {
  const Shape& shape = x.shape();
  const int64_t outer = Product(shape, 0, axis);
  const int64_t inner = Product(shape, axis + 1, shape.size());
  const int64_t length = shape[axis];
  NDArray result(x.dtype(), shape);
  const std::vector<double> in = AsDoubles(x);
  for (int64_t r = 0; r < outer * inner; ++r) {
    const int64_t base = r / inner * length * inner + r % inner;
    double max = -INFINITY, sum = 0;
    for (int64_t k = 0; k < length; ++k) {
      max = std::max(max, in[base + k * inner]);
    }
    for (int64_t k = 0; k < length; ++k) {
      sum += std::exp(in[base + k * inner] - max);
    }
    for (int64_t k = 0; k < length; ++k) {
      const double shifted = in[base + k * inner] - max;
      StoreFloat(result, base + k * inner,
                 log ? shifted - std::log(sum) : std::exp(shifted) / sum);
    }
  }
  return result;
}

NDArray LayerNorm(const LayerNormAttrs& attrs, const NDArray& x,
                  const NDArray& scale, const NDArray& bias) {
  const int64_t length = scale.num_elements();
  NDArray result(DType::Float32(), x.shape());
  const float* in = x.data<float>().data();
  float* out = result.data<float>().data();
  for (int64_t r = 0; r < x.num_elements() / length; ++r) {
    double sum = 0, squares = 0;
    for (int64_t k = 0; k < length; ++k) sum += in[k];
    const double mean = sum / length;
    for (int64_t k = 0; k < length; ++k) {
      squares += (in[k] - mean) * (in[k] - mean);
    }
    const double deviation = std::sqrt(squares / length + attrs.epsilon);
    for (int64_t k = 0; k < length; ++k) {
      out[k] = static_cast<float>((in[k] - mean) / deviation *
                                      scale.data<float>()[k] +
                                  bias.data<float>()[k]);
    }
    in += length;
    out += length;
  }
  return result;
}

}  // namespace assay::graph::reference
