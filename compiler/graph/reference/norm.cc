#include <cmath>

#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {

NDArray BatchNorm(const BatchNormAttrs& attrs, absl::Span<const NDArray> in) {
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

}  // namespace assay::graph::reference
