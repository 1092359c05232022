#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "compiler/graph/reference/rules.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {
namespace {

// Sum and maximum of one window, and its numbers of positions on the data and
// on the padding.
struct WindowResult {
  double sum = 0;
  double max = -std::numeric_limits<double>::infinity();
  int64_t on_data = 0;
  int64_t on_padding = 0;
};

bool Within(int64_t i, int64_t begin, int64_t end) {
  return begin <= i && i < end;
}

WindowResult ReadWindow(const Pool2dAttrs& a, const double* plane,
                        int64_t height, int64_t width, int64_t oh, int64_t ow) {
  WindowResult w;
  for (int64_t i = 0; i < a.kernel[0]; ++i) {
    const int64_t row = oh * a.strides[0] - a.padding[0] + i * a.dilations[0];
    for (int64_t j = 0; j < a.kernel[1]; ++j) {
      const int64_t column =
          ow * a.strides[1] - a.padding[1] + j * a.dilations[1];
      if (Within(row, 0, height) && Within(column, 0, width)) {
        const double value = plane[row * width + column];
        w.sum += value;
        w.max = std::max(w.max, value);
        ++w.on_data;
      } else if (Within(row, -a.padding[0], height + a.padding[2]) &&
                 Within(column, -a.padding[1], width + a.padding[3])) {
        ++w.on_padding;
      }
    }
  }
  return w;
}

// The maximum of a window that holds no data.
double LeastValue(DType dtype) {
  if (dtype.is_float()) return -std::numeric_limits<double>::infinity();
  return dtype.is_uint() ? 0 : -std::exp2(dtype.bits() - 1);
}

double WindowValue(OpKind kind, const Pool2dAttrs& a, const WindowResult& w,
                   double least) {
  if (kind == OpKind::kMaxPool2d) return w.on_data == 0 ? least : w.max;
  const int64_t count = w.on_data + (a.count_include_pad ? w.on_padding : 0);
  return w.sum / static_cast<double>(count);
}

NDArray Pool(OpKind kind, const Pool2dAttrs& a, const NDArray& data,
             const Shape& out_shape) {
  const int64_t height = data.shape()[2], width = data.shape()[3];
  const int64_t planes = data.shape()[0] * data.shape()[1];
  NDArray result(data.dtype(), out_shape);
  const std::vector<double> values = AsDoubles(data);
  const double* x = values.data();
  const double least = LeastValue(data.dtype());
  int64_t i = 0;
  for (int64_t p = 0; p < planes; ++p, x += height * width) {
    for (int64_t oh = 0; oh < out_shape[2]; ++oh) {
      for (int64_t ow = 0; ow < out_shape[3]; ++ow) {
        StoreSum(result, i++,
                 WindowValue(kind, a, ReadWindow(a, x, height, width, oh, ow),
                             least));
      }
    }
  }
  return result;
}

}  // namespace

Result Pool2d(const Node& node, Operands in) {
  return Pool(node.kind(), node.attrs_as<Pool2dAttrs>(), in[0],
              node.type().shape);
}

Result GlobalPool2d(const Node& node, Operands in) {
  const Shape& shape = in[0].shape();
  Pool2dAttrs whole;
  whole.kernel = {shape[2], shape[3]};
  return Pool(node.kind() == OpKind::kGlobalMaxPool2d ? OpKind::kMaxPool2d
                                                      : OpKind::kAvgPool2d,
              whole, in[0], node.type().shape);
}

}  // namespace assay::graph::reference
