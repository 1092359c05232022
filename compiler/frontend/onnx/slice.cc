// Slice: its parameters are attributes until opset 9 and operands since.
#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/graph/reference/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using Ints = std::vector<int64_t>;

struct Ranges {
  Ints starts, ends, axes, steps;
};

// A start or end beyond the axis means its end. Both are taken from the front
// once negative ones have been counted from the end.
absl::Status Slice(OpImport& op, const Ranges& ranges) {
  const Shape& shape = op.InputType(0).shape;
  graph::SliceAttrs attrs;
  attrs.begins.assign(shape.size(), 0);
  attrs.steps.assign(shape.size(), 1);
  attrs.sizes = shape;
  const size_t count = ranges.starts.size();
  if (ranges.ends.size() != count || ranges.axes.size() != count ||
      ranges.steps.size() != count) {
    return Malformed("starts, ends, axes and steps have ", count, ", ",
                     ranges.ends.size(), ", ", ranges.axes.size(), " and ",
                     ranges.steps.size(), " entries");
  }
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = ranges.axes[i];
    const auto rank = static_cast<int64_t>(shape.size());
    // Slice has taken negative axes since opset 10.
    if (axis < 0 && op.opset() == 10) axis += rank;
    ASSAY_ASSIGN_OR_RETURN(axis, NormalizeAxis(op, "axis", axis, rank));
    const int64_t extent = shape[axis], step = ranges.steps[i];
    if (step == 0) return Malformed("the step of axis ", axis, " is 0");
    const int64_t low = step > 0 ? 0 : -1;
    const int64_t high = step > 0 ? extent : extent - 1;
    const auto place = [&](int64_t index) {
      if (index < 0) index = std::max(index, -extent - 1) + extent;
      return std::clamp(index, low, std::max(high, low));
    };
    const int64_t begin = place(ranges.starts[i]), end = place(ranges.ends[i]);
    const int64_t distance = step > 0 ? end - begin : begin - end;
    const int64_t stride = step > 0 ? step : -std::max(step, -extent - 1);
    attrs.begins[axis] = begin;
    attrs.sizes[axis] = distance <= 0 ? 0 : (distance - 1) / stride + 1;
    attrs.steps[axis] = attrs.sizes[axis] <= 1 ? 1 : step;
    if (attrs.sizes[axis] == 0) attrs.begins[axis] = 0;
  }
  if (attrs.sizes == shape &&
      std::count(attrs.steps.begin(), attrs.steps.end(), 1) ==
          static_cast<int64_t>(shape.size())) {
    return op.SetResult(op.Input(0));
  }
  return op.SetResult(op.Add(graph::OpKind::kSlice, attrs, {op.Input(0)}));
}

Ints Counting(size_t n) {
  Ints numbers;
  for (size_t i = 0; i < n; ++i) numbers.push_back(static_cast<int64_t>(i));
  return numbers;
}

// Constant operand `i`, int32 or int64, or `absent`.
absl::StatusOr<Ints> Operand(const OpImport& op, int i, const char* what,
                             const Ints& absent) {
  if (!op.HasInput(i)) return absent;
  const NDArray* array = op.ConstantInput(i);
  if (array == nullptr || array->dtype() != DType::Int32()) {
    return op.ConstantInts(i, what);
  }
  Ints values;
  for (int64_t k = 0; k < array->num_elements(); ++k) {
    values.push_back(graph::reference::LoadInt(*array, k));
  }
  return values;
}

}  // namespace

absl::Status ImportSliceAttributes(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto starts,
                         op.attributes().OptionalInts("starts"));
  ASSAY_ASSIGN_OR_RETURN(const auto ends, op.attributes().OptionalInts("ends"));
  ASSAY_ASSIGN_OR_RETURN(const auto axes, op.attributes().OptionalInts("axes"));
  if (!starts.has_value()) return Malformed("attribute `starts` is missing");
  if (!ends.has_value()) return Malformed("attribute `ends` is missing");
  return Slice(op, {*starts, *ends, axes.value_or(Counting(starts->size())),
                    Ints(starts->size(), 1)});
}

absl::Status ImportSliceInputs(OpImport& op) {
  Ranges ranges;
  ASSAY_ASSIGN_OR_RETURN(ranges.starts, Operand(op, 1, "starts", {}));
  ASSAY_ASSIGN_OR_RETURN(ranges.ends, Operand(op, 2, "ends", {}));
  const size_t count = ranges.starts.size();
  ASSAY_ASSIGN_OR_RETURN(ranges.axes, Operand(op, 3, "axes", Counting(count)));
  ASSAY_ASSIGN_OR_RETURN(ranges.steps, Operand(op, 4, "steps", Ints(count, 1)));
  return Slice(op, ranges);
}

}  // namespace assay::frontend
