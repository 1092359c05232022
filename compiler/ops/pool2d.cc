#include "compiler/ops/pool2d.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/pad.h"

namespace assay::ops {

using expr::Expr;

te::Tensor MaxPool2d(const te::Tensor& data, const graph::Pool2dAttrs& attrs,
                     const Shape& output) {
  PadWindow window;
  window.top = attrs.padding[0];
  window.left = attrs.padding[1];
  window.height = WindowExtent(output[2], attrs.strides[0], attrs.kernel[0],
                               attrs.dilations[0]);
  window.width = WindowExtent(output[3], attrs.strides[1], attrs.kernel[1],
                              attrs.dilations[1]);
  const te::Tensor padded = Pad(
      data, window, expr::CombinerIdentity(expr::Combiner::kMax, data.dtype()));
  const expr::ReduceAxis kh = te::MakeReduceAxis(attrs.kernel[0], "kh");
  const expr::ReduceAxis kw = te::MakeReduceAxis(attrs.kernel[1], "kw");
  return te::Compute(
      output, "max_pool2d",
      [&](const std::vector<Expr>& i) {
        std::vector<Expr> indices = i;
        indices[2] = i[2] * static_cast<int>(attrs.strides[0]) +
                     kh.var * static_cast<int>(attrs.dilations[0]);
        indices[3] = i[3] * static_cast<int>(attrs.strides[1]) +
                     kw.var * static_cast<int>(attrs.dilations[1]);
        return te::MaxOver(padded(indices), {kh, kw});
      },
      "reduction");
}

te::Tensor GlobalAvgPool2d(const te::Tensor& data) {
  Shape output = data.shape();
  const int64_t count = output[2] * output[3];
  const expr::ReduceAxis h = te::MakeReduceAxis(output[2], "h");
  const expr::ReduceAxis w = te::MakeReduceAxis(output[3], "w");
  output[2] = output[3] = 1;
  const te::Tensor sum = te::Compute(
      output, "global_sum",
      [&](const std::vector<Expr>& i) {
        std::vector<Expr> indices = i;
        indices[2] = h.var;
        indices[3] = w.var;
        return te::Sum(data(indices), {h, w});
      },
      "reduction");
  return te::Compute(
      output, "global_avg_pool2d", [&](const std::vector<Expr>& i) {
        return sum(i) / expr::Const(data.dtype(), static_cast<double>(count));
      });
}

}  // namespace assay::ops
