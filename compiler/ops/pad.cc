#include "compiler/ops/pad.h"

#include <vector>

#include "compiler/expr/expr_ops.h"

namespace assay::ops {

using expr::Expr;

int64_t WindowExtent(int64_t outputs, int64_t stride, int64_t kernel,
                     int64_t dilation) {
  return (outputs - 1) * stride + (kernel - 1) * dilation + 1;
}

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
  const int top = static_cast<int>(window.top);
  const int left = static_cast<int>(window.left);
  return te::Compute(
      shape, data.name() + ".pad",
      [&](const std::vector<Expr>& i) {
        std::vector<Expr> source = i;
        source[2] = i[2] - top;
        source[3] = i[3] - left;
        // Only the conditions that can fail, so that a map padded on one side
        // is tested on one side.
        Expr inside = expr::ConstInt(DType::Bool(), 1);
        const auto require = [&](const Expr& condition) {
          inside = inside && condition;
        };
        if (top > 0) require(i[2] >= top);
        if (window.height > top + h) require(i[2] < static_cast<int>(top + h));
        if (left > 0) require(i[3] >= left);
        if (window.width > left + w) require(i[3] < static_cast<int>(left + w));
        return expr::SelectOf(inside, data(source), value);
      },
      "pad");
}

}  // namespace assay::ops
