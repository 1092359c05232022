// Windows element by element, for pooling that max_pool2d and avg_pool2d do not
// support. Element k of every window is one strided slice of the padded data.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_POOL_WINDOWS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_POOL_WINDOWS_H_

#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/window.h"

namespace assay::frontend {

// Adds the padding of the window, and the elements that ceil_mode adds at the
// end, with value `value`. The window is changed to one without padding and
// with the same positions.
graph::Value PadForWindows(Compose& c, graph::Value x, Window* w, float value);

// The maximum of each window, for any type that `maximum` supports.
graph::Value MaxOfWindows(Compose& c, graph::Value x, const Window& w);

// int64: the position in x [N,C,…] of the maximum of each window, counted in
// row-major order, or with `columns_first` with the first spatial axis fastest.
// Of equal elements the first.
graph::Value MaxIndices(Compose& c, graph::Value x, const Window& w,
                        bool columns_first);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_POOL_WINDOWS_H_
