#include <vector>

#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {

// Every element of the data adds its multiple of the weights to the result.
NDArray Conv2dTranspose(const Conv2dTransposeAttrs& a, const NDArray& data,
                        const NDArray& weights, const TensorType& type) {
  const Shape &x = data.shape(), &w = weights.shape(), &y = type.shape;
  const int64_t group_inputs = x[1] / a.groups, group_outputs = w[1];
  std::vector<double> sums(type.num_elements(), 0.0);
  const float* in = data.data<float>().data();
  const float* filter = weights.data<float>().data();
  for (int64_t i = 0; i < data.num_elements(); ++i) {
    const int64_t iw = i % x[3], ih = i / x[3] % x[2];
    const int64_t c = i / (x[3] * x[2]) % x[1], n = i / (x[3] * x[2] * x[1]);
    for (int64_t k = 0; k < w[1] * w[2] * w[3]; ++k) {
      const int64_t kw = k % w[3], kh = k / w[3] % w[2];
      const int64_t o = c / group_inputs * group_outputs + k / (w[3] * w[2]);
      const int64_t oh = ih * a.strides[0] - a.padding[0] + kh * a.dilations[0];
      const int64_t ow = iw * a.strides[1] - a.padding[1] + kw * a.dilations[1];
      if (oh < 0 || oh >= y[2] || ow < 0 || ow >= y[3]) continue;
      sums[((n * y[1] + o) * y[2] + oh) * y[3] + ow] +=
          double{in[i]} * filter[c * w[1] * w[2] * w[3] + k];
    }
  }
  NDArray result(DType::Float32(), y);
  for (size_t i = 0; i < sums.size(); ++i) {
    result.data<float>()[i] = static_cast<float>(sums[i]);
  }
  return result;
}

}  // namespace assay::graph::reference
