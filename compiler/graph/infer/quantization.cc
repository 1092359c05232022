#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

bool IsQuantized(DType dtype) {
  return dtype == DType::Int(8) || dtype == DType::UInt(8);
}

// A scale or zero point has one element, or one for each index of `axis`.
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

absl::Status ExpectDtype(int i, const TensorType& type, DType dtype) {
  if (type.dtype == dtype) return absl::OkStatus();
  return Invalid("operand ", i, " is ", type.ToString(), " but ",
                 dtype.ToString(), " is needed");
}

}  // namespace

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
    ASSAY_RETURN_IF_ERROR(ExpectDtype(0, x, wide));
  }
  ASSAY_RETURN_IF_ERROR(ExpectDtype(1, inputs[1], DType::Float32()));
  ASSAY_RETURN_IF_ERROR(ExpectDtype(2, inputs[2], narrow));
  for (int i = 1; i < 3; ++i) {
    ASSAY_RETURN_IF_ERROR(ExpectPerAxis(i, inputs[i], x, attrs.axis));
  }
  return TensorType{attrs.dtype, x.shape};
}

}  // namespace assay::graph::infer
