#include "compiler/ops/pool/pool2d.h"

#include <string>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/conv/pad.h"
#include "compiler/ops/integers.h"

namespace assay::ops {
namespace {

using expr::Combiner;
using expr::Expr;

// Combines the elements of each window; `outside` is the padding value.
te::Tensor Windows(const te::Tensor& data, const graph::Pool2dAttrs& attrs,
                   const Shape& output, const std::string& name,
                   Combiner combiner, const Expr& outside) {
  const SlidingWindow window =
      WindowOf(attrs, attrs.kernel[0], attrs.kernel[1]);
  const te::Tensor padded = PadFor(data, window, output, outside);
  return te::Compute(
      output, name,
      [&](const std::vector<Expr>& i) {
        std::vector<Expr> indices = i;
        indices[2] = RowIndex(i[2], window);
        indices[3] = ColumnIndex(i[3], window);
        return expr::Reduce::Make(combiner, padded(indices),
                                  {window.kh, window.kw});
      },
      "reduction");
}

// Returns the number of taps of the window at result index `o` that lie in
// [begin, end) of axis `d` (0: rows, 1: columns); the data starts at 0.
Expr TapsWithin(const graph::Pool2dAttrs& attrs, int d, const Expr& o,
                int64_t begin, int64_t end, int64_t outputs) {
  const int64_t stride = attrs.strides[d], dilation = attrs.dilations[d];
  const int64_t taps = attrs.kernel[d];
  const int64_t first = -attrs.padding[d];
  const int64_t reach = (outputs - 1) * stride + (taps - 1) * dilation + first;
  if (first >= begin && reach < end) return AsInt(taps);
  const Expr start = o * AsInt(stride) + AsInt(first);
  // Returns the first tap at or after `position`.
  const auto tap_at = [&](int64_t position) {
    const Expr distance = Expr(AsInt(position)) - start;
    return (distance + AsInt(dilation - 1)) / AsInt(dilation);
  };
  const Expr from = expr::Max(tap_at(begin), 0);
  const Expr to = expr::Min(tap_at(end), AsInt(taps));
  return to - from;
}

}  // namespace

te::Tensor MaxPool2d(const te::Tensor& data, const graph::Pool2dAttrs& attrs,
                     const Shape& output) {
  return Windows(data, attrs, output, "max_pool2d", Combiner::kMax,
                 expr::CombinerIdentity(Combiner::kMax, data.dtype()));
}

te::Tensor AvgPool2d(const te::Tensor& data, const graph::Pool2dAttrs& attrs,
                     const Shape& output) {
  const te::Tensor sum = Windows(data, attrs, output, "window_sum",
                                 Combiner::kSum, expr::Const(data.dtype(), 0));
  const bool all = attrs.count_include_pad;
  const auto taps = [&](int d, const Expr& o) {
    const int64_t before = all ? attrs.padding[d] : 0;
    const int64_t after = all ? attrs.padding[d + 2] : 0;
    return TapsWithin(attrs, d, o, -before, data.shape()[d + 2] + after,
                      output[d + 2]);
  };
  return te::Compute(output, "avg_pool2d", [&](const std::vector<Expr>& i) {
    return sum(i) /
           expr::Cast::Make(data.dtype(), taps(0, i[2]) * taps(1, i[3]));
  });
}

}  // namespace assay::ops
