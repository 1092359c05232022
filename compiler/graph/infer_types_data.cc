#include <cstdlib>

#include "compiler/graph/infer_types_internal.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

// Bounds every attribute so that no sum or product below overflows.
constexpr int64_t kMaxAttr = int64_t{1} << 24;

bool InRange(absl::Span<const int64_t> values, int64_t low) {
  for (int64_t v : values) {
    if (v < low || v > kMaxAttr) return false;
  }
  return true;
}

bool IsQuantized(DType dtype) {
  return dtype == DType::Int(8) || dtype == DType::UInt(8);
}

// A scale or zero point: one element, or one for each index of `axis`.
absl::Status ExpectPerAxis(int i, const TensorType& type,
                           const TensorType& data, int64_t axis) {
  if (type.num_elements() == 1 && type.rank() <= 1) return absl::OkStatus();
  if (axis >= 0 && axis < data.rank() &&
      type.shape == Shape{data.shape[axis]}) {
    return absl::OkStatus();
  }
  return Invalid("operand ", i, " is ", type.ToString(),
                 " but one element or one for each index of axis ", axis,
                 " of ", data.ToString(), " is needed");
}

absl::Status ExpectType(int i, const TensorType& type, DType dtype) {
  if (type.dtype == dtype) return absl::OkStatus();
  return Invalid("operand ", i, " is ", type.ToString(), " but ",
                 dtype.ToString(), " is needed");
}

}  // namespace

Result Slice(const SliceAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  const TensorType& x = inputs[0];
  const size_t rank = x.shape.size();
  if (attrs.begins.size() != rank || attrs.steps.size() != rank ||
      attrs.sizes.size() != rank) {
    return Invalid("begins, steps and sizes need one entry for each axis of ",
                   x.ToString());
  }
  for (size_t d = 0; d < rank; ++d) {
    const int64_t begin = attrs.begins[d], step = attrs.steps[d];
    const int64_t size = attrs.sizes[d];
    const bool sane = step != 0 && std::abs(step) <= kMaxAttr && size >= 0 &&
                      size <= x.shape[d];
    const int64_t last = sane ? begin + (size - 1) * step : -1;
    const bool inside =
        begin >= 0 && begin < x.shape[d] && last >= 0 && last < x.shape[d];
    if (!sane || (size > 0 && !inside)) {
      return Invalid("begins ", ShapeToString(attrs.begins), ", steps ",
                     ShapeToString(attrs.steps), " and sizes ",
                     ShapeToString(attrs.sizes), " leave ", x.ToString());
    }
  }
  return TensorType{x.dtype, attrs.sizes};
}

Result Pad(const PadAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  TensorType type = inputs[0];
  const size_t rank = type.shape.size();
  if (attrs.before.size() != rank || attrs.after.size() != rank ||
      !InRange(attrs.before, 0) || !InRange(attrs.after, 0)) {
    return Invalid("before ", ShapeToString(attrs.before), " and after ",
                   ShapeToString(attrs.after), " need one entry between 0 and ",
                   kMaxAttr, " for each axis of ", type.ToString());
  }
  for (size_t d = 0; d < rank; ++d) {
    type.shape[d] += attrs.before[d] + attrs.after[d];
  }
  return type;
}

Result Cast(const CastAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  return TensorType{attrs.dtype, inputs[0].shape};
}

Result Quantize(OpKind kind, const QuantizeAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 3));
  const TensorType& x = inputs[0];
  const bool widens = kind == OpKind::kDequantize;
  const DType narrow = widens ? x.dtype : attrs.dtype;
  const bool is_int32 = widens && narrow == DType::Int32();
  if (!IsQuantized(narrow) && !is_int32) {
    return Invalid("element type ", narrow.ToString(),
                   " is not supported; int8 and uint8 are");
  }
  if (widens && attrs.dtype != DType::Float32()) {
    return Invalid("dtype is ", attrs.dtype.ToString(),
                   " but float32 is needed");
  }
  if (!widens) {
    const DType wide =
        kind == OpKind::kQuantize ? DType::Float32() : DType::Int32();
    ASSAY_RETURN_IF_ERROR(ExpectType(0, x, wide));
  }
  ASSAY_RETURN_IF_ERROR(ExpectType(1, inputs[1], DType::Float32()));
  ASSAY_RETURN_IF_ERROR(ExpectType(2, inputs[2], narrow));
  for (int i = 1; i < 3; ++i) {
    ASSAY_RETURN_IF_ERROR(ExpectPerAxis(i, inputs[i], x, attrs.axis));
  }
  return TensorType{attrs.dtype, x.shape};
}

}  // namespace assay::graph::infer
