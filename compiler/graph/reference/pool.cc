#include <algorithm>
#include <limits>

#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {
namespace {

NDArray PlainMaxPool2d(const Pool2dAttrs& a, const NDArray& data,
                       const Shape& out_shape) {
  const int64_t height = data.shape()[2], width = data.shape()[3];
  const int64_t planes = data.shape()[0] * data.shape()[1];
  NDArray result(DType::Float32(), out_shape);
  const float* x = data.data<float>().data();
  float* y = result.data<float>().data();
  const auto window_max = [&](const float* plane, int64_t oh, int64_t ow) {
    float best = -std::numeric_limits<float>::infinity();
    for (int64_t i = 0; i < a.kernel[0]; ++i) {
      const int64_t row = oh * a.strides[0] - a.padding[0] + i * a.dilations[0];
      if (row < 0 || row >= height) continue;
      for (int64_t j = 0; j < a.kernel[1]; ++j) {
        const int64_t column =
            ow * a.strides[1] - a.padding[1] + j * a.dilations[1];
        if (column < 0 || column >= width) continue;
        best = std::max(best, plane[row * width + column]);
      }
    }
    return best;
  };
  for (int64_t p = 0; p < planes; ++p, x += height * width) {
    for (int64_t oh = 0; oh < out_shape[2]; ++oh) {
      for (int64_t ow = 0; ow < out_shape[3]; ++ow) {
        *y++ = window_max(x, oh, ow);
      }
    }
  }
  return result;
}

NDArray PlainGlobalAvgPool2d(const NDArray& data) {
  const Shape& shape = data.shape();
  const int64_t area = shape[2] * shape[3];
  NDArray result(DType::Float32(), {shape[0], shape[1], 1, 1});
  const float* x = data.data<float>().data();
  for (float& out : result.data<float>()) {
    double sum = 0;
    for (int64_t i = 0; i < area; ++i) sum += *x++;
    out = static_cast<float>(sum / area);
  }
  return result;
}

}  // namespace

NDArray MaxPool2d(const Pool2dAttrs& attrs, const NDArray& data,
                  const TensorType& type) {
  if (attrs.block == 0) return PlainMaxPool2d(attrs, data, type.shape);
  const Shape plain_shape = {type.shape[0], type.shape[1] * attrs.block,
                             type.shape[2], type.shape[3]};
  return LayoutTransform(
      PlainMaxPool2d(attrs, LayoutTransform(data, attrs.block, 0), plain_shape),
      0, attrs.block);
}

NDArray GlobalAvgPool2d(const GlobalPool2dAttrs& attrs, const NDArray& data,
                        const TensorType& type) {
  if (attrs.block == 0) return PlainGlobalAvgPool2d(data);
  return PlainGlobalAvgPool2d(LayoutTransform(data, attrs.block, 0))
      .Reshaped(type.shape);
}

}  // namespace assay::graph::reference
