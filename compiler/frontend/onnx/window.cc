#include "compiler/frontend/onnx/window.h"

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/naming.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Padding;
using graph::Pair;

// Bounds the sums and products below.
constexpr int64_t kMaxExtent = int64_t{1} << 24;

// The numbers of attribute `name`, all within [low, kMaxExtent]; `absent`
// where the node does not have it.
absl::StatusOr<std::vector<int64_t>> ReadNumbers(OpImport& op,
                                                 absl::string_view name,
                                                 std::vector<int64_t> absent,
                                                 int64_t low) {
  ASSAY_ASSIGN_OR_RETURN(const auto values, op.attributes().OptionalInts(name));
  if (!values.has_value()) return absent;
  if (values->size() != absent.size()) {
    return Malformed("attribute ", Quote(name), " is ", ShapeToString(*values),
                     " but ", absent.size(),
                     " numbers are needed for data of rank 4");
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

absl::StatusOr<Pair> ReadPair(OpImport& op, absl::string_view name,
                              Pair absent) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<int64_t> values,
      ReadNumbers(op, name, {absent[0], absent[1]}, /*low=*/1));
  return Pair{values[0], values[1]};
}

absl::StatusOr<Pair> ReadKernel(OpImport& op, std::optional<Pair> kernel) {
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         op.attributes().OptionalInts("kernel_shape"));
  if (!given.has_value() && !kernel.has_value()) {
    return Malformed("attribute `kernel_shape` is missing");
  }
  ASSAY_ASSIGN_OR_RETURN(
      const Pair read,
      ReadPair(op, "kernel_shape", kernel.value_or(Pair{1, 1})));
  if (kernel.has_value() && read != *kernel) {
    return Malformed("attribute `kernel_shape` is ", ShapeToString(read),
                     " but the weights are for ", ShapeToString(*kernel));
  }
  return read;
}

Padding SamePadding(const Window& w, const Shape& data, bool upper) {
  Padding padding;
  for (int i = 0; i < 2; ++i) {
    const int64_t in = data[2 + i];
    const int64_t out = (in + w.strides[i] - 1) / w.strides[i];
    const int64_t total =
        std::max<int64_t>(0, (out - 1) * w.strides[i] + w.kernel[i] - in);
    const int64_t less = total / 2;
    padding[i] = upper ? less : total - less;
    padding[i + 2] = upper ? total - less : less;
  }
  return padding;
}

}  // namespace

absl::StatusOr<Window> ReadWindow(OpImport& op, bool has_dilations,
                                  std::optional<Pair> kernel) {
  Window w;
  ASSAY_ASSIGN_OR_RETURN(w.kernel, ReadKernel(op, kernel));
  ASSAY_ASSIGN_OR_RETURN(w.strides, ReadPair(op, "strides", {1, 1}));
  if (has_dilations) {
    ASSAY_ASSIGN_OR_RETURN(w.dilations, ReadPair(op, "dilations", {1, 1}));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> pads,
                         ReadNumbers(op, "pads", {0, 0, 0, 0}, /*low=*/0));
  ASSAY_ASSIGN_OR_RETURN(const std::string mode,
                         op.attributes().String("auto_pad", "NOTSET"));
  std::copy(pads.begin(), pads.end(), w.padding.begin());
  if (mode == "NOTSET") return w;
  if (w.padding != Padding{0, 0, 0, 0}) {
    return Malformed("attribute `pads` is ", ShapeToString(pads),
                     " although `auto_pad` is ", Quote(mode));
  }
  if (mode == "VALID") {
    w.valid = true;
    return w;
  }
  if (mode != "SAME_UPPER" && mode != "SAME_LOWER") {
    return Malformed("attribute `auto_pad` is ", Quote(mode),
                     " but NOTSET, SAME_UPPER, SAME_LOWER or VALID is needed");
  }
  if (w.dilations != Pair{1, 1}) {
    return Unsupported("attribute `auto_pad` is ", Quote(mode),
                       " and `dilations` ", ShapeToString(w.dilations),
                       ", which implementations understand differently; "
                       "give `pads` instead");
  }
  w.same = true;
  w.padding = SamePadding(w, op.InputType(0).shape, mode == "SAME_UPPER");
  return w;
}

}  // namespace assay::frontend
