// Indices and padding of operators with a sliding window (convolution, pooling)
// over the spatial axes 2 and 3 of a feature map.
//
// Pad() adds a stage that surrounds the map with a constant, so that the stage
// that reads it needs no bounds checks in its loops.
#ifndef ASSAY_COMPILER_OPS_CONV_PAD_H_
#define ASSAY_COMPILER_OPS_CONV_PAD_H_

#include "compiler/expr/expr.h"
#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The part of the padded map that an operator reads: `top`/`left` rows/columns
// of padding before the data, `height`/`width` rows/columns in total. Data
// beyond it is cut off.
struct PadWindow {
  int64_t top = 0;
  int64_t left = 0;
  int64_t height = 0;
  int64_t width = 0;
};

// `data` itself if the window starts at its origin and lies inside it;
// otherwise a stage tagged "pad" of shape [N, C, height, width, ...] with
// `value` outside the data.
te::Tensor Pad(const te::Tensor& data, const PadWindow& window,
               const expr::Expr& value);

// A window of kh x kw taps, which are the reduction's axes, at every position
// of the result.
struct SlidingWindow {
  graph::Pair strides = {1, 1};
  graph::Pair dilations = {1, 1};
  graph::Padding padding = {0, 0, 0, 0};
  expr::ReduceAxis kh, kw;
};

// `attrs` are Conv2dAttrs or Pool2dAttrs.
template <typename Attrs>
SlidingWindow WindowOf(const Attrs& attrs, int64_t kernel_height,
                       int64_t kernel_width) {
  return {attrs.strides, attrs.dilations, attrs.padding,
          te::MakeReduceAxis(kernel_height, "kh"),
          te::MakeReduceAxis(kernel_width, "kw")};
}

// `data`, padded with `value` as far as the windows of a result of shape
// `output` reach.
te::Tensor PadFor(const te::Tensor& data, const SlidingWindow& window,
                  const Shape& output, const expr::Expr& value);

// The row or column of the padded data that the window's current tap reads for
// row `oh` or column `ow` of the result.
expr::Expr RowIndex(const expr::Expr& oh, const SlidingWindow& window);
expr::Expr ColumnIndex(const expr::Expr& ow, const SlidingWindow& window);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_PAD_H_
