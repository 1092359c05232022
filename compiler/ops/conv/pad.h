// Padding and index computation for operators with a sliding window
// (convolution, pooling). The window slides over the rows (axis 2) and the
// columns (axis 3) of a feature map.
//
// Pad() adds a stage that surrounds the feature map with a constant. A stage
// that reads the padded map needs no bounds checks in its loops.
#ifndef ASSAY_COMPILER_OPS_CONV_PAD_H_
#define ASSAY_COMPILER_OPS_CONV_PAD_H_

#include <cstdint>

#include "compiler/expr/expr.h"
#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// A reduction over at most this many steps can check for padding itself:
// writing padded data first costs more than the conditions, because each value
// is read only a few times. Only windows at the border check anything once the
// loops are partitioned.
constexpr int64_t kStepsToInlinePad = 64;

// The part of the padded map that an operator reads. Data outside this part is
// cut off.
struct PadWindow {
  int64_t top = 0;     // number of rows of padding before the data
  int64_t left = 0;    // number of columns of padding before the data
  int64_t height = 0;  // total number of rows
  int64_t width = 0;   // total number of columns
};

// Returns `data` itself if the window starts at the origin of `data` and lies
// inside `data`. Otherwise returns a stage with tag "pad" and shape
// [N, C, height, width, ...], whose elements outside `data` are `value`.
te::Tensor Pad(const te::Tensor& data, const PadWindow& window,
               const expr::Expr& value);

// A window of kh x kw taps that is placed at every position of the result. `kh`
// and `kw` are the axes of a reduction over the taps.
struct SlidingWindow {
  graph::Pair strides = {1, 1};
  graph::Pair dilations = {1, 1};
  graph::Padding padding = {0, 0, 0, 0};
  expr::ReduceAxis kh, kw;
};

// Returns the window of an operator. `Attrs` must be Conv2dAttrs or
// Pool2dAttrs.
template <typename Attrs>
SlidingWindow WindowOf(const Attrs& attrs, int64_t kernel_height,
                       int64_t kernel_width) {
  return {attrs.strides, attrs.dilations, attrs.padding,
          te::MakeReduceAxis(kernel_height, "kh"),
          te::MakeReduceAxis(kernel_width, "kw")};
}

// Calls Pad() with a PadWindow that contains exactly the rows and columns that
// are read if the shape of the result is `output`.
te::Tensor PadFor(const te::Tensor& data, const SlidingWindow& window,
                  const Shape& output, const expr::Expr& value);

// Returns the value of padding for a convolution of elements of type `dtype`.
expr::Expr PadValue(DType dtype, const graph::Conv2dAttrs& attrs);

// Returns the row of the padded data that the taps in row `window.kh` of the
// window read when row `oh` of the result is computed.
expr::Expr RowIndex(const expr::Expr& oh, const SlidingWindow& window);
// Returns the column of the padded data that the taps in column `window.kw` of
// the window read when column `ow` of the result is computed.
expr::Expr ColumnIndex(const expr::Expr& ow, const SlidingWindow& window);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_PAD_H_
