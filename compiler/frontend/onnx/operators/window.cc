#include "compiler/frontend/onnx/operators/window.h"

#include <algorithm>
#include <string>

#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/infer/infer_types.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using Ints = std::vector<int64_t>;

// Upper bound of every attribute, so that the sums and products below do not
// overflow.
constexpr int64_t kMaxExtent = int64_t{1} << 24;

void PadSame(const Shape& data, bool upper, Window* w) {
  for (size_t i = 0; i < w->axes(); ++i) {
    const int64_t in = data[2 + i];
    const int64_t out = (in + w->strides[i] - 1) / w->strides[i];
    const int64_t total =
        std::max<int64_t>(0, (out - 1) * w->strides[i] + w->reach(i) - in);
    const int64_t less = total / 2;
    w->before[i] = upper ? less : total - less;
    w->after[i] = upper ? total - less : less;
  }
}

}  // namespace

absl::StatusOr<Ints> ReadNumbers(OpImport& op, absl::string_view name,
                                 Ints absent, int64_t low) {
  ASSAY_ASSIGN_OR_RETURN(const auto values, op.attributes().OptionalInts(name));
  if (!values.has_value()) return absent;
  if (values->size() != absent.size()) {
    return Malformed("attribute ", Quote(name), " is ", ShapeToString(*values),
                     " but ", absent.size(),
                     " numbers are needed for data of rank ",
                     op.InputType(0).rank());
  }
  for (const int64_t value : *values) {
    if (value < low || value > kMaxExtent) {
      return Malformed("attribute ", Quote(name), " is ",
                       ShapeToString(*values), "; every number lies between ",
                       low, " and ", kMaxExtent);
    }
  }
  return *values;
}

absl::StatusOr<Ints> ReadKernel(OpImport& op, std::optional<Ints> kernel) {
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         op.attributes().OptionalInts("kernel_shape"));
  if (!given.has_value() && !kernel.has_value()) {
    return Malformed("attribute `kernel_shape` is missing");
  }
  const Ints ones(op.InputType(0).rank() - 2, 1);
  ASSAY_ASSIGN_OR_RETURN(
      const Ints read,
      ReadNumbers(op, "kernel_shape", kernel.value_or(ones), /*low=*/1));
  if (kernel.has_value() && read != *kernel) {
    return Malformed("attribute `kernel_shape` is ", ShapeToString(read),
                     " but the weights are for ", ShapeToString(*kernel));
  }
  if (std::count(read.begin(), read.end(), 0) > 0) {
    return Malformed("the weights are for the window ", ShapeToString(read),
                     ", which has no elements");
  }
  return read;
}

Ints Window::Extents(const Shape& data) const {
  Ints extents;
  for (size_t i = 0; i < axes(); ++i) {
    extents.push_back(graph::WindowExtent(data[2 + i], kernel[i], strides[i],
                                          dilations[i], before[i], after[i],
                                          ceil));
  }
  return extents;
}

absl::StatusOr<Window> ReadWindow(OpImport& op, WindowOptions options,
                                  std::optional<Ints> kernel) {
  if (op.InputType(0).rank() < 3) {
    return Malformed("the data is ", op.InputType(0).ToString(),
                     " but rank 3 or more is needed");
  }
  Window w;
  const size_t axes = op.InputType(0).shape.size() - 2;
  const Ints ones(axes, 1), none(2 * axes, 0);
  ASSAY_ASSIGN_OR_RETURN(w.kernel, ReadKernel(op, std::move(kernel)));
  ASSAY_ASSIGN_OR_RETURN(w.strides, ReadNumbers(op, "strides", ones, 1));
  w.dilations = ones;
  if (options.has_dilations) {
    ASSAY_ASSIGN_OR_RETURN(w.dilations, ReadNumbers(op, "dilations", ones, 1));
  }
  if (options.has_ceil_mode) {
    ASSAY_ASSIGN_OR_RETURN(w.ceil, op.attributes().Flag("ceil_mode", false));
  }
  ASSAY_ASSIGN_OR_RETURN(const Ints pads, ReadNumbers(op, "pads", none, 0));
  ASSAY_ASSIGN_OR_RETURN(const std::string mode,
                         op.attributes().String("auto_pad", "NOTSET"));
  w.before.assign(pads.begin(), pads.begin() + axes);
  w.after.assign(pads.begin() + axes, pads.end());
  if (mode == "NOTSET") return w;
  if (pads != none) {
    return Malformed("attribute `pads` is ", ShapeToString(pads),
                     " although `auto_pad` is ", Quote(mode));
  }
  // Each mode defines the extents by its own formula.
  w.ceil = false;
  if (mode == "VALID") return w;
  if (mode != "SAME_UPPER" && mode != "SAME_LOWER") {
    return Malformed("attribute `auto_pad` is ", Quote(mode),
                     " but NOTSET, SAME_UPPER, SAME_LOWER or VALID is needed");
  }
  PadSame(op.InputType(0).shape, mode == "SAME_UPPER", &w);
  return w;
}

graph::Value WithUnitAxis(Compose& c, graph::Value x) {
  if (!c.status().ok()) return x;
  Shape shape = x.type().shape;
  shape.insert(shape.end() - 1, 1);
  return c.Reshape(x, shape);
}

}  // namespace assay::frontend
