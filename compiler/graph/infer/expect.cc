#include "compiler/graph/infer/expect.h"

#include "compiler/graph/infer/infer_types.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {

absl::Status ExpectInputs(Types inputs, size_t count) {
  if (inputs.size() == count) return absl::OkStatus();
  return Invalid("takes ", count, " operands, not ", inputs.size());
}

absl::Status ExpectAxis(int64_t axis, const TensorType& type) {
  if (axis >= 0 && axis < type.rank()) return absl::OkStatus();
  return Invalid("axis ", axis, " is not an axis of ", type.ToString());
}

absl::Status ExpectElements(Types inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].num_elements() > 0) continue;
    return Invalid("operand ", i, " is ", inputs[i].ToString(),
                   " and has no elements");
  }
  return absl::OkStatus();
}

absl::Status ExpectFloat32(Types inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].dtype != DType::Float32()) {
      return Invalid("operand ", i, " is ", inputs[i].ToString(),
                     "; only float32 is supported");
    }
  }
  return absl::OkStatus();
}

absl::Status ExpectType(int i, const TensorType& type, DType dtype, int rank) {
  if (type.dtype == dtype && type.rank() == rank) return absl::OkStatus();
  return Invalid("operand ", i, " is ", type.ToString(), " but ",
                 dtype.ToString(), " of rank ", rank, " is needed");
}

absl::Status ExpectRange(absl::string_view what,
                         absl::Span<const int64_t> values, int64_t low) {
  for (int64_t v : values) {
    if (v < low || v > kMaxAttr) {
      return Invalid(what, " ", ShapeToString(values),
                     " is out of range; every entry lies between ", low,
                     " and ", kMaxAttr);
    }
  }
  return absl::OkStatus();
}

absl::Status ExpectImage(const TensorType& data) {
  if (data.rank() == 4) return absl::OkStatus();
  return Invalid("data is ", data.ToString(), " but rank 4 is needed");
}

namespace {

bool IsNarrowInt(DType type) {
  return type == DType::Int(8) || type == DType::UInt(8) ||
         type == DType::Int(16);
}

}  // namespace

absl::StatusOr<DType> DotProductType(Types inputs) {
  const DType a = inputs[0].dtype, b = inputs[1].dtype;
  if (a == b && a.is_float() && a.bits() <= 32) return DType::Float32();
  if (IsNarrowInt(a) && IsNarrowInt(b)) return DType::Int32();
  return Invalid("operands are ", inputs[0].ToString(), " and ",
                 inputs[1].ToString(),
                 "; two of float32, float16 or bfloat16, or any of int8, uint8 "
                 "and int16 are supported");
}

absl::StatusOr<Pair> WindowResult(const Window& w, int64_t height,
                                  int64_t width) {
  ASSAY_RETURN_IF_ERROR(ExpectRange("kernel", w.kernel, 1));
  ASSAY_RETURN_IF_ERROR(ExpectRange("strides", w.strides, 1));
  ASSAY_RETURN_IF_ERROR(ExpectRange("padding", w.padding, 0));
  ASSAY_RETURN_IF_ERROR(ExpectRange("dilations", w.dilations, 1));
  const Pair in = {height, width};
  Pair out;
  for (int i = 0; i < 2; ++i) {
    out[i] = WindowExtent(in[i], w.kernel[i], w.strides[i], w.dilations[i],
                          w.padding[i], w.padding[i + 2], w.ceil_mode);
    if (out[i] < 1) {
      return Invalid("the window ", ShapeToString(w.kernel), " with dilations ",
                     ShapeToString(w.dilations), " does not fit in data of ",
                     height, " by ", width, " with padding ",
                     ShapeToString(w.padding));
    }
  }
  return out;
}

}  // namespace assay::graph::infer
