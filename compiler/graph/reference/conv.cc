#include <algorithm>
#include <vector>

#include "compiler/graph/reference/layout.h"
#include "compiler/graph/reference/rules.h"
#include "compiler/graph/reference/winograd_conv.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

// Weights as double, transposed so that the filters of a group are innermost:
// [group][channel, kh, kw][filter of the group].
std::vector<double> FiltersInnermost(const NDArray& weights, int64_t groups) {
  const int64_t filters = weights.shape()[0] / groups;
  const int64_t taps =
      weights.shape()[1] * weights.shape()[2] * weights.shape()[3];
  const std::vector<double> w = AsDoubles(weights);
  std::vector<double> result(weights.num_elements());
  for (int64_t g = 0; g < groups; ++g) {
    for (int64_t f = 0; f < filters; ++f) {
      const double* row = w.data() + (g * filters + f) * taps;
      double* column = result.data() + g * taps * filters + f;
      for (int64_t t = 0; t < taps; ++t) column[t * filters] = row[t];
    }
  }
  return result;
}

NDArray PlainConv2d(const Conv2dAttrs& a, const NDArray& data,
                    const NDArray& weights, const TensorType& type) {
  const Shape& out_shape = type.shape;
  const int64_t height = data.shape()[2], width = data.shape()[3];
  const int64_t channels = weights.shape()[1];  // of one group
  const int64_t kh = weights.shape()[2], kw = weights.shape()[3];
  const int64_t filters = weights.shape()[0] / a.groups;
  const int64_t out_h = out_shape[2], out_w = out_shape[3];
  const std::vector<double> w = FiltersInnermost(weights, a.groups);
  NDArray result(type.dtype, out_shape);
  const std::vector<double> x = AsDoubles(data);
  const auto pad_value = static_cast<double>(a.pad_value);
  std::vector<double> sums(filters);

  // All filters of one result position of group `g` of image `n`.
  const auto compute = [&](int64_t n, int64_t g, int64_t oh, int64_t ow) {
    std::fill(sums.begin(), sums.end(), 0.0);
    const int64_t top = oh * a.strides[0] - a.padding[0];
    const int64_t left = ow * a.strides[1] - a.padding[1];
    double* sum = sums.data();
    for (int64_t c = 0; c < channels; ++c) {
      const double* plane =
          x.data() + ((n * a.groups + g) * channels + c) * height * width;
      for (int64_t i = 0; i < kh; ++i) {
        const int64_t row = top + i * a.dilations[0];
        const bool row_inside = row >= 0 && row < height;
        if (!row_inside && pad_value == 0) continue;
        for (int64_t j = 0; j < kw; ++j) {
          const int64_t column = left + j * a.dilations[1];
          const bool inside = row_inside && column >= 0 && column < width;
          if (!inside && pad_value == 0) continue;
          const double value = inside ? plane[row * width + column] : pad_value;
          const double* tap =
              w.data() + (((g * channels + c) * kh + i) * kw + j) * filters;
          for (int64_t f = 0; f < filters; ++f) sum[f] += value * tap[f];
        }
      }
    }
    const int64_t first =
        (n * a.groups + g) * filters * out_h * out_w + oh * out_w + ow;
    for (int64_t f = 0; f < filters; ++f) {
      StoreSum(result, first + f * out_h * out_w, sum[f]);
    }
  };

  for (int64_t n = 0; n < data.shape()[0]; ++n) {
    for (int64_t g = 0; g < a.groups; ++g) {
      for (int64_t oh = 0; oh < out_h; ++oh) {
        for (int64_t ow = 0; ow < out_w; ++ow) compute(n, g, oh, ow);
      }
    }
  }
  return result;
}

}  // namespace

Result Conv2d(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<Conv2dAttrs>();
  const NDArray& data = in[0];
  const NDArray& weights = in[1];
  const TensorType& type = node.type();
  if (attrs.winograd != 0) return WinogradConv2d(attrs, data, weights, type);
  if (attrs.in_block == 0) {
    return PlainConv2d(attrs, data, weights, type);
  }
  const NDArray plain_data = ConvertLayout(data, attrs.in_block, 0);
  const NDArray plain_weights = UnpackConvWeights(weights);
  const TensorType plain_type = {
      type.dtype,
      {type.shape[0], type.shape[1] * attrs.out_block, type.shape[2],
       type.shape[3]}};
  return ConvertLayout(
      PlainConv2d(attrs, plain_data, plain_weights, plain_type), 0,
      attrs.out_block);
}

}  // namespace assay::graph::reference
