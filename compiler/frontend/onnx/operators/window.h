// The attributes that convolution and pooling share: the positions of a window
// with any number of axes on padded data.
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

// One number for each spatial axis, that is all axes except the first two.
struct Window {
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;
  // The explicit padding, also for auto_pad.
  std::vector<int64_t> before;
  std::vector<int64_t> after;
  // Rounds the extent of the result up (ceil_mode; ignored with auto_pad).
  bool ceil = false;

  size_t axes() const { return kernel.size(); }
  // Number of elements from the first to the last one that the window reads.
  int64_t reach(size_t axis) const {
    return dilations[axis] * (kernel[axis] - 1) + 1;
  }
  // The result's extents for data [N,C,…].
  std::vector<int64_t> Extents(const Shape& data) const;
};

// Reads kernel_shape, strides, pads, auto_pad and, if the operator has them,
// dilations and ceil_mode. Operand 0 is the data, of rank 3 or more.
// kernel_shape must equal `kernel`; without `kernel` the attribute is required.
//
// With auto_pad SAME_* the extent of the result is that of the data divided by
// the stride, rounded up; the odd element of padding is at the end for
// SAME_UPPER and at the beginning for SAME_LOWER.
struct WindowOptions {
  bool has_dilations = true;
  bool has_ceil_mode = false;
};
absl::StatusOr<Window> ReadWindow(OpImport& op, WindowOptions options,
                                  std::optional<std::vector<int64_t>> kernel);

// The values of attribute `name`, as many as in its default `absent`; each is
// at least `low`.
absl::StatusOr<std::vector<int64_t>> ReadNumbers(OpImport& op,
                                                 absl::string_view name,
                                                 std::vector<int64_t> absent,
                                                 int64_t low);

// kernel_shape, as above.
absl::StatusOr<std::vector<int64_t>> ReadKernel(
    OpImport& op, std::optional<std::vector<int64_t>> kernel);

// Copies axis `from` of the window to axis `to` of `attrs`, the attributes of a
// graph operator, which has two axes.
template <typename Attrs>
void SetAxis(const Window& w, size_t from, size_t to, Attrs* attrs) {
  attrs->strides[to] = w.strides[from];
  attrs->dilations[to] = w.dilations[from];
  attrs->padding[to] = w.before[from];
  attrs->padding[to + 2] = w.after[from];
}

// Copies the last two axes; a single axis becomes the second.
template <typename Attrs>
void SetLastAxes(const Window& w, Attrs* attrs) {
  SetAxis(w, w.axes() - 1, 1, attrs);
  if (w.axes() > 1) SetAxis(w, w.axes() - 2, 0, attrs);
}

// Data or weights with one spatial axis as those with two, of which the first
// has one element.
graph::Value WithUnitAxis(Compose& c, graph::Value x);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_WINDOW_H_
