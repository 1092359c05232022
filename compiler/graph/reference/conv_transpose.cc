#include <vector>

#include "compiler/graph/reference/layout.h"
#include "compiler/graph/reference/rules.h"

namespace assay::graph::reference {
namespace {

// Every element of the data, times the weights, is added to the result of shape
// `y`.
NDArray PlainConv2dTranspose(const Conv2dTransposeAttrs& a, const NDArray& data,
                             const NDArray& weights, const Shape& y) {
  const Shape &x = data.shape(), &w = weights.shape();
  const int64_t group_inputs = x[1] / a.groups, group_outputs = w[1];
  std::vector<double> sums(NumElements(y), 0.0);
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

// [O/ob,Cg/wi,KH,KW,wi,ob] to [C,O/groups,KH,KW].
NDArray UnpackTransposedWeights(const NDArray& weights, int64_t groups) {
  const NDArray w = UnpackConvWeights(weights);
  const Shape& s = w.shape();  // O, Cg, KH, KW
  const int64_t outputs = s[0] / groups;
  return Permute(w.Reshaped({groups, outputs, s[1], s[2], s[3]}),
                 {0, 2, 1, 3, 4})
      .Reshaped({groups * s[1], outputs, s[2], s[3]});
}

}  // namespace

Result Conv2dTranspose(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<Conv2dTransposeAttrs>();
  const NDArray& data = in[0];
  const NDArray& weights = in[1];
  const TensorType& type = node.type();
  if (attrs.in_block == 0) {
    return PlainConv2dTranspose(attrs, data, weights, type.shape);
  }
  const Shape plain = {type.shape[0], type.shape[1] * attrs.out_block,
                       type.shape[2], type.shape[3]};
  return ConvertLayout(
      PlainConv2dTranspose(attrs, ConvertLayout(data, attrs.in_block, 0),
                           UnpackTransposedWeights(weights, attrs.groups),
                           plain),
      0, attrs.out_block);
}

}  // namespace assay::graph::reference
