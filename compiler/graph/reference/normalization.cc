#include <algorithm>
#include <cmath>
#include <vector>

#include "compiler/graph/reference/rules.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

int64_t Product(const Shape& shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i) product *= shape[i];
  return product;
}

}  // namespace

Result BatchNorm(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<BatchNormAttrs>();
  const Shape& shape = in[0].shape();
  int64_t area = 1;
  for (size_t i = 2; i < shape.size(); ++i) area *= shape[i];
  NDArray result(DType::Float32(), shape);
  const float* x = in[0].data<float>().data();
  float* y = result.data<float>().data();
  for (int64_t n = 0; n < shape[0]; ++n) {
    for (int64_t c = 0; c < shape[1]; ++c) {
      const double scale = in[1].data<float>()[c];
      const double bias = in[2].data<float>()[c];
      const double mean = in[3].data<float>()[c];
      const double deviation = std::sqrt(
          static_cast<double>(in[4].data<float>()[c]) + attrs.epsilon);
      for (int64_t i = 0; i < area; ++i) {
        *y++ = static_cast<float>((*x++ - mean) / deviation * scale + bias);
      }
    }
  }
  return result;
}

Result Softmax(const Node& node, Operands in) {
  const int64_t axis = node.attrs_as<SoftmaxAttrs>().axis;
  const bool log = node.kind() == OpKind::kLogSoftmax;
  const NDArray& x = in[0];
  const Shape& shape = x.shape();
  const int64_t outer = Product(shape, 0, axis);
  const int64_t inner = Product(shape, axis + 1, shape.size());
  const int64_t length = shape[axis];
  NDArray result(x.dtype(), shape);
  const std::vector<double> values = AsDoubles(x);
  for (int64_t r = 0; r < outer * inner; ++r) {
    const int64_t base = r / inner * length * inner + r % inner;
    double max = -INFINITY, sum = 0;
    for (int64_t k = 0; k < length; ++k) {
      max = std::max(max, values[base + k * inner]);
    }
    for (int64_t k = 0; k < length; ++k) {
      sum += std::exp(values[base + k * inner] - max);
    }
    for (int64_t k = 0; k < length; ++k) {
      const double shifted = values[base + k * inner] - max;
      StoreFloat(result, base + k * inner,
                 log ? shifted - std::log(sum) : std::exp(shifted) / sum);
    }
  }
  return result;
}

Result LayerNorm(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<LayerNormAttrs>();
  const NDArray& x = in[0];
  const NDArray& scale = in[1];
  const NDArray& bias = in[2];
  const int64_t length = scale.num_elements();
  NDArray result(DType::Float32(), x.shape());
  const float* row = x.data<float>().data();
  float* out = result.data<float>().data();
  for (int64_t r = 0; r < x.num_elements() / length; ++r) {
    double sum = 0, squares = 0;
    for (int64_t k = 0; k < length; ++k) sum += row[k];
    const double mean = sum / length;
    for (int64_t k = 0; k < length; ++k) {
      squares += (row[k] - mean) * (row[k] - mean);
    }
    const double deviation = std::sqrt(squares / length + attrs.epsilon);
    for (int64_t k = 0; k < length; ++k) {
      out[k] = static_cast<float>((row[k] - mean) / deviation *
                                      scale.data<float>()[k] +
                                  bias.data<float>()[k]);
    }
    row += length;
    out += length;
  }
  return result;
}

}  // namespace assay::graph::reference
