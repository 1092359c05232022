// Functions for those ONNX pooling operators that the graph operators
// max_pool2d and avg_pool2d cannot express. The elements at position k of all
// windows form one strided slice of the padded data. The maxima of all windows
// are therefore the element-wise maximum of the slices for k = 0, 1, …
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_POOL_WINDOWS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_POOL_WINDOWS_H_

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/window.h"

namespace assay::frontend {

// Pads `x` with `value`, so that all windows are inside the result. The padding
// includes the elements that ceil_mode needs at the end. Sets the padding of
// `w` to 0 and `w->ceil` to false.
graph::Value PadForWindows(Compose& c, graph::Value x, Window* w, float value);

// Returns the maximum of each window. Supports all element types that the graph
// operator `maximum` supports.
graph::Value MaxOfWindows(Compose& c, graph::Value x, const Window& w);

// Returns the position (int64) of the maximum of each window in x, whose shape
// is [N,C,…]. `max` holds the maxima, which have the type of x. Positions are
// numbered in row-major order of x. If `columns_first` is true, they are
// numbered as if the spatial axes were in reverse order: the positions of
// neighbours along the first spatial axis differ by 1. If a window has several
// equal maxima, returns the position of the maximum that comes first in
// row-major order. Padding is never a maximum; for a window without elements of
// x, returns the position next to it.
graph::Value MaxIndices(Compose& c, graph::Value x, graph::Value max,
                        const Window& w, bool columns_first);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_POOL_WINDOWS_H_
