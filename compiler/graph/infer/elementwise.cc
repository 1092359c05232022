#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

// The element types that an operator accepts.
enum class Numbers : uint8_t {
  kAny,          // all
  kNumbers,      // all but bool
  kFloats,       // float16, bfloat16, float32, float64
  kShortFloats,  // float16, bfloat16, float32
  kIntegers,     // signed and unsigned, of every width
  kBits,         // integers and bool
  kUnsigned
};

Numbers NumbersOf(OpKind kind) {
  switch (kind) {
    case OpKind::kEqual:
      return Numbers::kAny;
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
    case OpKind::kPower:
    case OpKind::kPrelu:
    case OpKind::kTruncMod:
    case OpKind::kLess:
    case OpKind::kLessEqual:
      return Numbers::kNumbers;
    case OpKind::kErf:
    case OpKind::kGelu:
      return Numbers::kShortFloats;
    case OpKind::kFloorMod:
      return Numbers::kIntegers;
    case OpKind::kBitwiseAnd:
    case OpKind::kBitwiseOr:
    case OpKind::kBitwiseXor:
    case OpKind::kBitwiseNot:
      return Numbers::kBits;
    case OpKind::kShiftLeft:
    case OpKind::kShiftRight:
      return Numbers::kUnsigned;
    default:
      return Numbers::kFloats;
  }
}

bool IsAmong(Numbers numbers, DType dtype) {
  switch (numbers) {
    case Numbers::kAny:
      return true;
    case Numbers::kNumbers:
      return !dtype.is_bool();
    case Numbers::kFloats:
      return dtype.is_float();
    case Numbers::kShortFloats:
      return dtype.is_float() && dtype.bits() <= 32;
    case Numbers::kIntegers:
      return dtype.is_int() || dtype.is_uint();
    case Numbers::kBits:
      return !dtype.is_float();
    case Numbers::kUnsigned:
      return dtype.is_uint();
  }
  return false;
}

absl::Status ExpectNumbers(OpKind kind, DType dtype) {
  const Numbers numbers = NumbersOf(kind);
  if (IsAmong(numbers, dtype)) return absl::OkStatus();
  constexpr const char* kSupported[] = {"all are",
                                        "floats and integers are",
                                        "floats are",
                                        "float32, float16 and bfloat16 are",
                                        "integers are",
                                        "integers and bool are",
                                        "unsigned integers are"};
  return Invalid("element type ", dtype.ToString(), " is not supported; ",
                 kSupported[static_cast<int>(numbers)]);
}

absl::Status ExpectSameElements(const TensorType& a, const TensorType& b) {
  if (a.dtype == b.dtype) return absl::OkStatus();
  return Invalid("operands are ", a.ToString(), " and ", b.ToString(),
                 ", of different element types");
}

Result UnaryType(OpKind kind, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectNumbers(kind, inputs[0].dtype));
  return inputs[0];
}

}  // namespace

Result Unary(OpKind kind, const NoAttrs&, Types inputs) {
  return UnaryType(kind, inputs);
}
Result Unary(OpKind kind, const AlphaAttrs&, Types inputs) {
  return UnaryType(kind, inputs);
}
Result Unary(OpKind kind, const LinearAttrs&, Types inputs) {
  return UnaryType(kind, inputs);
}
Result Unary(OpKind kind, const ClipAttrs&, Types inputs) {
  return UnaryType(kind, inputs);
}

Result Binary(OpKind kind, const NoAttrs&, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectNumbers(kind, inputs[0].dtype));
  ASSAY_RETURN_IF_ERROR(ExpectSameElements(inputs[0], inputs[1]));
  TensorType type{IsComparison(kind) ? DType::Bool() : inputs[0].dtype, {}};
  ASSAY_ASSIGN_OR_RETURN(type.shape,
                         BroadcastShapes(inputs[0].shape, inputs[1].shape));
  return type;
}

Result Select(OpKind, const NoAttrs&, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 3));
  if (!inputs[0].dtype.is_bool()) {
    return Invalid("operand 0 is ", inputs[0].ToString(),
                   " but bool is needed");
  }
  ASSAY_RETURN_IF_ERROR(ExpectSameElements(inputs[1], inputs[2]));
  TensorType type{inputs[1].dtype, {}};
  ASSAY_ASSIGN_OR_RETURN(type.shape,
                         BroadcastShapes(inputs[1].shape, inputs[2].shape));
  ASSAY_ASSIGN_OR_RETURN(type.shape,
                         BroadcastShapes(inputs[0].shape, type.shape));
  return type;
}

Result Cast(OpKind, const CastAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  return TensorType{attrs.dtype, inputs[0].shape};
}

}  // namespace assay::graph::infer
