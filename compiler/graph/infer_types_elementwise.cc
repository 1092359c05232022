#include "compiler/graph/infer_types.h"
#include "compiler/graph/infer_types_internal.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

// Which element types an operator takes.
enum class Numbers : uint8_t {
  kAll,         // floats of every width, int32, int64
  kFloats,      // float16, bfloat16, float32, float64
  kShortFloats  // float16, bfloat16, float32
};

Numbers NumbersOf(OpKind kind) {
  switch (kind) {
    case OpKind::kRelu:
    case OpKind::kNegate:
    case OpKind::kAbs:
    case OpKind::kSign:
    case OpKind::kAdd:
    case OpKind::kSubtract:
    case OpKind::kMultiply:
    case OpKind::kDivide:
    case OpKind::kMaximum:
    case OpKind::kMinimum:
      return Numbers::kAll;
    case OpKind::kErf:
    case OpKind::kGelu:
      return Numbers::kShortFloats;
    default:
      return Numbers::kFloats;
  }
}

absl::Status ExpectNumbers(OpKind kind, DType dtype) {
  const Numbers numbers = NumbersOf(kind);
  if (dtype == DType::Float64()) {
    if (numbers != Numbers::kShortFloats) return absl::OkStatus();
  } else if (dtype.is_float()) {
    return absl::OkStatus();
  } else if (dtype == DType::Int32() || dtype == DType::Int64()) {
    if (numbers == Numbers::kAll) return absl::OkStatus();
  }
  constexpr const char* kSupported[] = {"floats, int32 and int64 are",
                                        "floats are",
                                        "float32, float16 and bfloat16 are"};
  return Invalid("element type ", dtype.ToString(), " is not supported; ",
                 kSupported[static_cast<int>(numbers)]);
}

}  // namespace

Result Unary(OpKind kind, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectNumbers(kind, inputs[0].dtype));
  return inputs[0];
}

Result Binary(OpKind kind, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectNumbers(kind, inputs[0].dtype));
  if (inputs[0].dtype != inputs[1].dtype) {
    return Invalid("operands are ", inputs[0].ToString(), " and ",
                   inputs[1].ToString(), ", of different element types");
  }
  TensorType type{inputs[0].dtype, {}};
  ASSAY_ASSIGN_OR_RETURN(type.shape,
                         BroadcastShapes(inputs[0].shape, inputs[1].shape));
  return type;
}

}  // namespace assay::graph::infer
