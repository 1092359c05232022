// Windows element by element: what pooling does that max_pool2d and avg_pool2d
// do not. Element k of every window is one strided slice of the padded data.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_POOL_WINDOWS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_POOL_WINDOWS_H_

#include "compiler/frontend/onnx/compose.h"
#include "compiler/frontend/onnx/window.h"

namespace assay::frontend {

// The data with the window's padding and what ceil_mode adds behind it, all
// `value`. The window then has none of its own, and as many positions.
graph::Value PadForWindows(Compose& c, graph::Value x, Window* w, float value);

// The maximum of each window, of any type that has `maximum`.
graph::Value MaxOfWindows(Compose& c, graph::Value x, const Window& w);

// Where in x [N,C,…] the maximum of each window is, int64: the place in the
// whole tensor in row-major order, or with `columns_first` the first spatial
// axis counts fastest. Of equal ones the first.
graph::Value MaxIndices(Compose& c, graph::Value x, const Window& w,
                        bool columns_first);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_POOL_WINDOWS_H_
