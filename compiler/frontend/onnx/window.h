// The attributes that convolution and pooling share: where a window of any
// number of axes stands on padded data.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_WINDOW_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_WINDOW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/compose.h"
#include "compiler/frontend/onnx/op_import.h"
#include "compiler/graph/op/attrs.h"

namespace assay::frontend {

// One number for each spatial axis, which are all but the first two.
struct Window {
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;
  // The padding in numbers, whatever way it was given.
  std::vector<int64_t> before;
  std::vector<int64_t> after;
  // The result's extent is rounded up (ceil_mode, which auto_pad overrules).
  bool ceil = false;

  size_t axes() const { return kernel.size(); }
  // Elements from the first to the last one that the window reads.
  int64_t reach(size_t axis) const {
    return dilations[axis] * (kernel[axis] - 1) + 1;
  }
  // The result's extents for data [N,C,…].
  std::vector<int64_t> Extents(const Shape& data) const;
};

// Reads kernel_shape, strides, pads, auto_pad and, where the operator has them,
// dilations and ceil_mode. Operand 0 is the data, of rank 3 at least. `kernel`
// is what kernel_shape must be; without it, the attribute is required.
//
// auto_pad SAME_* makes the result's extent the data's over the stride,
// rounded up; what is odd of the padding goes to the end for SAME_UPPER, to
// the beginning for SAME_LOWER.
struct WindowOptions {
  bool has_dilations = true;
  bool has_ceil_mode = false;
};
absl::StatusOr<Window> ReadWindow(OpImport& op, WindowOptions options,
                                  std::optional<std::vector<int64_t>> kernel);

// The numbers of attribute `name`, of which there must be as many as in
// `absent`, its default; each is `low` or more.
absl::StatusOr<std::vector<int64_t>> ReadNumbers(OpImport& op,
                                                 absl::string_view name,
                                                 std::vector<int64_t> absent,
                                                 int64_t low);

// kernel_shape, as above.
absl::StatusOr<std::vector<int64_t>> ReadKernel(
    OpImport& op, std::optional<std::vector<int64_t>> kernel);

// The graph's windows have two axes: axis `to` of `attrs` becomes that of axis
// `from` of the window.
template <typename Attrs>
void SetAxis(const Window& w, size_t from, size_t to, Attrs* attrs) {
  attrs->strides[to] = w.strides[from];
  attrs->dilations[to] = w.dilations[from];
  attrs->padding[to] = w.before[from];
  attrs->padding[to + 2] = w.after[from];
}

// The same for the last two axes, or the only one, which becomes the second.
template <typename Attrs>
void SetLastAxes(const Window& w, Attrs* attrs) {
  SetAxis(w, w.axes() - 1, 1, attrs);
  if (w.axes() > 1) SetAxis(w, w.axes() - 2, 0, attrs);
}

// Data or weights of one axis as those of two, of which the first has one
// element.
graph::Value WithUnitAxis(Compose& c, graph::Value x);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_WINDOW_H_
