#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/conv/transposed_conv.h"
#include "compiler/ops/integers.h"

namespace assay::ops {
namespace {

using expr::Expr;

// Element `i` of an axis of the spread data is element (i - shift) / stride of
// the data if that is a valid index, else 0.
struct SpreadAxis {
  int64_t extent = 0;
  int64_t shift = 0;
  int64_t stride = 1;
};

te::Tensor Spread(const te::Tensor& data, const SpreadAxis (&axes)[2]) {
  Shape shape = data.shape();
  for (int d = 0; d < 2; ++d) shape[d + 2] = axes[d].extent;
  return te::Compute(
      shape, data.name() + ".spread",
      [&](const std::vector<Expr>& i) {
        Expr is_data = expr::ConstInt(DType::Bool(), 1);
        std::vector<Expr> indices = i;
        for (int d = 0; d < 2; ++d) {
          const Expr offset = i[d + 2] - AsInt(axes[d].shift);
          const int stride = AsInt(axes[d].stride);
          const Expr index = stride == 1 ? offset : offset / stride;
          if (stride > 1) {
            is_data = is_data && expr::Eq(offset % stride, Expr(0));
          }
          is_data = is_data && index >= 0 && index < AsInt(data.shape()[d + 2]);
          indices[d + 2] = index;
        }
        return expr::SelectOf(is_data, data(indices),
                              expr::Const(data.dtype(), 0));
      },
      "pad");
}

}  // namespace

bool SpreadConv2dTransposeApplies(const OpInstance& op, const target::Target&) {
  return IsPlain(op.output.encoding);
}

te::Tensor SpreadConv2dTranspose(const OpInstance& op, const Operands& in,
                                 const target::Target&, const Config&) {
  const te::Tensor &data = in[0], &weights = in[1];
  const auto& attrs = op.attrs_as<graph::Conv2dTransposeAttrs>();
  const Shape& output = op.stored_output.shape;
  const Shape& w = weights.shape();
  SpreadAxis axes[2];
  for (int d = 0; d < 2; ++d) {
    const int64_t reach = (w[d + 2] - 1) * attrs.dilations[d];
    axes[d].extent = output[d + 2] + reach;
    axes[d].shift = reach - attrs.padding[d];
    axes[d].stride = attrs.strides[d];
  }
  const te::Tensor spread = Spread(data, axes);
  const int group_inputs = AsInt(data.shape()[1] / attrs.groups);
  const int group_outputs = AsInt(w[1]);
  const expr::ReduceAxis ic = te::MakeReduceAxis(group_inputs, "ic");
  const expr::ReduceAxis kh = te::MakeReduceAxis(w[2], "kh");
  const expr::ReduceAxis kw = te::MakeReduceAxis(w[3], "kw");
  return te::Compute(
      output, "conv2d_transpose",
      [&](const std::vector<Expr>& i) {
        Expr channel = ic.var;
        Expr filter = i[1];
        if (attrs.groups > 1) {
          channel = i[1] / group_outputs * group_inputs + channel;
          filter = i[1] % group_outputs;
        }
        const Expr pixel =
            spread(i[0], channel, i[2] + kh.var * AsInt(attrs.dilations[0]),
                   i[3] + kw.var * AsInt(attrs.dilations[1]));
        const Expr weight = weights(channel, filter, AsInt(w[2] - 1) - kh.var,
                                    AsInt(w[3] - 1) - kw.var);
        return te::Sum(pixel * weight, {ic, kh, kw});
      },
      "reduction", {"n", "oc", "oh", "ow"});
}

}  // namespace assay::ops
