// Window: the attributes that convolution and pooling have in common. They
// define a window, which has any number of spatial axes, and the positions of
// the window on the padded data.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_WINDOW_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_WINDOW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/op_import.h"
#include "compiler/graph/op/attrs.h"

namespace assay::frontend {

// Each vector has one element per spatial axis. The spatial axes of data
// [N,C,…] are all axes except the first two.
struct Window {
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;
  // Numbers of padding elements: those before the data (`before`) and those
  // after the data (`after`). If auto_pad has a value other than NOTSET, the
  // numbers are computed from it.
  std::vector<int64_t> before;
  std::vector<int64_t> after;
  // The value of ceil_mode: if true, the extents of the result are rounded up.
  // Always false if auto_pad has a value other than NOTSET.
  bool ceil = false;

  // Returns the number of spatial axes.
  size_t axes() const { return kernel.size(); }
  // Returns the number of elements along `axis` from the first to the last
  // element that the window reads, including both.
  int64_t reach(size_t axis) const {
    return dilations[axis] * (kernel[axis] - 1) + 1;
  }
  // Returns the spatial extents of the result for data of shape `data`,
  // [N,C,…].
  std::vector<int64_t> Extents(const Shape& data) const;
};

// States which of the optional attributes an operator has.
struct WindowOptions {
  bool has_dilations = true;
  bool has_ceil_mode = false;
};
// Reads the attributes kernel_shape, strides, pads, auto_pad and, depending on
// `options`, dilations and ceil_mode. Operand 0 of `op` must be the data.
// `kernel` is the shape of the window according to the weights, or nullopt for
// operators without weights. If `kernel` has a value, the attribute
// kernel_shape must be absent or equal to this value. If `kernel` is nullopt,
// kernel_shape is required. Returns InvalidArgument if the rank of the data is
// less than 3 or if an attribute is invalid.
//
// If auto_pad is SAME_UPPER or SAME_LOWER, each extent of the result is the
// extent of the data divided by the stride, rounded up. If the number of
// padding elements is odd, SAME_UPPER puts one more element at the end, and
// SAME_LOWER puts one more element at the beginning.
absl::StatusOr<Window> ReadWindow(OpImport& op, WindowOptions options,
                                  std::optional<std::vector<int64_t>> kernel);

// Returns the numbers in attribute `name`, or `absent` if the attribute is
// absent. Returns InvalidArgument if the attribute does not have as many
// numbers as `absent`, or if a number is less than `low` or too large.
absl::StatusOr<std::vector<int64_t>> ReadNumbers(OpImport& op,
                                                 absl::string_view name,
                                                 std::vector<int64_t> absent,
                                                 int64_t low);

// Reads the attribute kernel_shape as described for ReadWindow.
absl::StatusOr<std::vector<int64_t>> ReadKernel(
    OpImport& op, std::optional<std::vector<int64_t>> kernel);

// Copies strides, dilations and padding of axis `from` of the window to axis
// `to` of `attrs`, the attributes of a graph operator with two spatial axes.
template <typename Attrs>
void SetAxis(const Window& w, size_t from, size_t to, Attrs* attrs) {
  attrs->strides[to] = w.strides[from];
  attrs->dilations[to] = w.dilations[from];
  attrs->padding[to] = w.before[from];
  attrs->padding[to + 2] = w.after[from];
}

// Copies the last two axes of the window to the two axes of `attrs`. If the
// window has only one axis, it is copied to the second axis of `attrs`.
template <typename Attrs>
void SetLastAxes(const Window& w, Attrs* attrs) {
  SetAxis(w, w.axes() - 1, 1, attrs);
  if (w.axes() > 1) SetAxis(w, w.axes() - 2, 0, attrs);
}

// Inserts an axis of extent 1 before the last axis of `x`. This converts data
// or weights with one spatial axis to data or weights with two spatial axes.
graph::Value WithUnitAxis(Compose& c, graph::Value x);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_WINDOW_H_
