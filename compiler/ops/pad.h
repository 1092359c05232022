// Pad: a stage that surrounds the spatial axes 2 and 3 of a feature map with a
// constant, so that the stage reading it needs no bounds checks in its loops.
#ifndef ASSAY_COMPILER_OPS_PAD_H_
#define ASSAY_COMPILER_OPS_PAD_H_

#include "compiler/expr/expr.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The window that a sliding-window operator reads: `top`/`left` rows/columns
// of padding before the data, `height`/`width` rows/columns in all. Where the
// data reaches beyond the window it is cut off.
struct PadWindow {
  int64_t top = 0;
  int64_t left = 0;
  int64_t height = 0;
  int64_t width = 0;
};

// `data` itself where the window lies inside it at its origin; otherwise a
// stage tagged "pad" of shape [N, C, height, width, ...] that holds `value`
// outside of the data.
te::Tensor Pad(const te::Tensor& data, const PadWindow& window,
               const expr::Expr& value);

// Rows (or columns) that `outputs` positions of a window of `kernel` taps
// read.
int64_t WindowExtent(int64_t outputs, int64_t stride, int64_t kernel,
                     int64_t dilation);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_PAD_H_
