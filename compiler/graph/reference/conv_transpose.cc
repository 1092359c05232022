#include <vector>

#include "compiler/graph/reference/rules.h"
#include "compiler/graph/reference/sums.h"

namespace assay::graph::reference {
// Every element of the data, times the weights, is added to the result.
Result Conv2dTranspose(const Node& node, Operands in) {
  const auto& a = node.attrs_as<Conv2dTransposeAttrs>();
  const NDArray &data = in[0], &weights = in[1];
  const Shape &x = data.shape(), &w = weights.shape(), &y = node.type().shape;
  const int64_t group_inputs = x[1] / a.groups, group_outputs = w[1];
  const int64_t in_plane = x[2] * x[3], out_plane = y[2] * y[3];
  const float* elements = data.data<float>().data();
  const float* filters = weights.data<float>().data();
  NDArray result(DType::Float32(), y);

  // Adds the rows of `from`, times the tap `factor` of row `kh` and column
  // `kw` of the filter, to `sums`.
  const auto add = [&](const float* from, double factor, int64_t kh, int64_t kw,
                       double* sums) {
    for (int64_t ih = 0; ih < x[2]; ++ih, from += x[3]) {
      const int64_t oh = ih * a.strides[0] - a.padding[0] + kh * a.dilations[0];
      if (oh < 0 || oh >= y[2]) continue;
      double* row = sums + oh * y[3];
      for (int64_t iw = 0; iw < x[3]; ++iw) {
        const int64_t ow =
            iw * a.strides[1] - a.padding[1] + kw * a.dilations[1];
        if (ow >= 0 && ow < y[3]) row[ow] += double{from[iw]} * factor;
      }
    }
  };

  // Each index is a plane of the result.
  const int64_t taps = w[2] * w[3];
  ForEachInParallel(
      y[0] * y[1], group_inputs * taps * in_plane, [&](int64_t index) {
        const int64_t n = index / y[1], o = index % y[1];
        const int64_t first = o / group_outputs * group_inputs;
        std::vector<double> sums(static_cast<size_t>(out_plane), 0.0);
        for (int64_t c = first; c < first + group_inputs; ++c) {
          const float* filter =
              filters + (c * group_outputs + o % group_outputs) * taps;
          for (int64_t k = 0; k < taps; ++k) {
            add(elements + (n * x[1] + c) * in_plane, filter[k], k / w[3],
                k % w[3], sums.data());
          }
        }
        float* plane = result.data<float>().data() + index * out_plane;
        for (size_t i = 0; i < sums.size(); ++i) {
          plane[i] = static_cast<float>(sums[i]);
        }
      });
  return result;
}

}  // namespace assay::graph::reference
