#include <algorithm>
#include <vector>

#include "compiler/graph/reference/layout.h"
#include "compiler/graph/reference/rules.h"
#include "compiler/graph/reference/sums.h"
#include "compiler/graph/reference/winograd_conv.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

// Positions of a plane of results and the data that they read.
struct Window {
  int64_t height = 0, width = 0, channels = 0;  // of the data of one group
  int64_t kh = 0, kw = 0;
  int64_t out_w = 0;

  int64_t taps() const { return channels * kh * kw; }
};

// Returns the data of the taps of kLanes adjacent results, of which `position`
// is the first: kLanes values for each tap, 0 for results beyond `end`.
// `image` is the data of one group.
void Gather(const Conv2dAttrs& a, const Window& w, const double* image,
            int64_t position, int64_t end, std::vector<double>& lanes) {
  lanes.assign(static_cast<size_t>(w.taps() * kLanes), 0.0);
  const int64_t count = std::min(kLanes, end - position);
  for (int64_t l = 0; l < count; ++l) {
    const int64_t oh = (position + l) / w.out_w, ow = (position + l) % w.out_w;
    const int64_t top = oh * a.strides[0] - a.padding[0];
    const int64_t left = ow * a.strides[1] - a.padding[1];
    double* lane = lanes.data() + l;
    for (int64_t c = 0; c < w.channels; ++c) {
      const double* plane = image + c * w.height * w.width;
      for (int64_t i = 0; i < w.kh; ++i) {
        const int64_t row = top + i * a.dilations[0];
        const bool row_inside = row >= 0 && row < w.height;
        for (int64_t j = 0; j < w.kw; ++j, lane += kLanes) {
          const int64_t column = left + j * a.dilations[1];
          const bool inside = row_inside && column >= 0 && column < w.width;
          *lane = inside ? plane[row * w.width + column]
                         : static_cast<double>(a.pad_value);
        }
      }
    }
  }
}

NDArray PlainConv2d(const Conv2dAttrs& a, const NDArray& data,
                    const NDArray& weights, const TensorType& type) {
  Window window;
  window.height = data.shape()[2];
  window.width = data.shape()[3];
  window.channels = weights.shape()[1];
  window.kh = weights.shape()[2];
  window.kw = weights.shape()[3];
  window.out_w = type.shape[3];
  const int64_t filters = weights.shape()[0] / a.groups;
  const int64_t plane = type.shape[2] * type.shape[3];
  const int64_t taps = window.taps();
  const int64_t image_size = window.channels * window.height * window.width;
  const std::vector<double> x = AsDoubles(data), w = AsDoubles(weights);
  NDArray result(type.dtype, type.shape);

  // Each index is a row of results of a group of an image.
  const int64_t rows = type.shape[2];
  const int64_t products = window.out_w * filters * taps;
  const int64_t all_rows = data.shape()[0] * a.groups * rows;
  ForEachInParallel(all_rows, products, [&](int64_t index) {
    const int64_t group = index / rows;  // of all images
    const int64_t begin = index % rows * window.out_w;
    const int64_t end = begin + window.out_w;
    std::vector<double> lanes, sums;
    for (int64_t position = begin; position < end; position += kLanes) {
      Gather(a, window, x.data() + group * image_size, position, end, lanes);
      SumProducts(w.data() + group % a.groups * filters * taps, filters, taps,
                  lanes.data(), taps, sums);
      const int64_t count = std::min(kLanes, end - position);
      for (int64_t f = 0; f < filters; ++f) {
        const int64_t first = (group * filters + f) * plane + position;
        for (int64_t l = 0; l < count; ++l) {
          StoreSum(result, first + l, sums[f * kLanes + l]);
        }
      }
    }
  });
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
  const NDArray plain_weights =
      attrs.bfloat16_parts != 0
          ? UnpackSplitConvWeights(weights, plain_data.shape()[1],
                                   attrs.folded_columns)
          : UnpackConvWeights(weights);
  const TensorType plain_type = {
      type.dtype,
      {type.shape[0], type.shape[1] * attrs.out_block, type.shape[2],
       type.shape[3]}};
  return ConvertLayout(
      PlainConv2d(attrs, plain_data, plain_weights, plain_type), 0,
      attrs.out_block);
}

}  // namespace assay::graph::reference
