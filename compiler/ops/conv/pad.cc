#include "compiler/ops/conv/pad.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"

namespace assay::ops {

using expr::Expr;

namespace {

// The number of rows (or columns) that `outputs` positions of a window of
// `taps` taps read.
int64_t Reach(int64_t outputs, int64_t stride, int64_t taps, int64_t dilation) {
  return (outputs - 1) * stride + (taps - 1) * dilation + 1;
}

}  // namespace

te::Tensor Pad(const te::Tensor& data, const PadWindow& window,
               const Expr& value) {
  const int64_t h = data.shape()[2];
  const int64_t w = data.shape()[3];
  if (window.top == 0 && window.left == 0 && window.height <= h &&
      window.width <= w) {
    return data;
  }
  Shape shape = data.shape();
  shape[2] = window.height;
  shape[3] = window.width;
  const int top = AsInt(window.top);
  const int left = AsInt(window.left);
  return te::Compute(
      shape, data.name() + ".pad",
      [&](const std::vector<Expr>& i) {
        std::vector<Expr> source = i;
        source[2] = i[2] - top;
        source[3] = i[3] - left;
        // Only the conditions that can fail: a map that is padded on one side
        // is checked on that side only.
        Expr inside = expr::ConstInt(DType::Bool(), 1);
        const auto require = [&](const Expr& condition) {
          inside = inside && condition;
        };
        if (top > 0) require(i[2] >= top);
        if (window.height > top + h) require(i[2] < AsInt(top + h));
        if (left > 0) require(i[3] >= left);
        if (window.width > left + w) require(i[3] < AsInt(left + w));
        return expr::SelectOf(inside, data(source), value);
      },
      "pad");
}

te::Tensor PadFor(const te::Tensor& data, const SlidingWindow& window,
                  const Shape& output, const Expr& value) {
  PadWindow pad;
  pad.top = window.padding[0];
  pad.left = window.padding[1];
  pad.height = Reach(output[2], window.strides[0], window.kh.extent,
                     window.dilations[0]);
  pad.width = Reach(output[3], window.strides[1], window.kw.extent,
                    window.dilations[1]);
  return Pad(data, pad, value);
}

Expr PadValue(DType dtype, const graph::Conv2dAttrs& attrs) {
  return dtype.is_float() ? expr::Const(dtype, 0)
                          : expr::ConstInt(dtype, attrs.pad_value);
}

Expr RowIndex(const Expr& oh, const SlidingWindow& window) {
  return oh * AsInt(window.strides[0]) +
         window.kh.var * AsInt(window.dilations[0]);
}

Expr ColumnIndex(const Expr& ow, const SlidingWindow& window) {
  return ow * AsInt(window.strides[1]) +
         window.kw.var * AsInt(window.dilations[1]);
}

}  // namespace assay::ops
