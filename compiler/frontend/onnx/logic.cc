// Comparisons, logic, operators on bits, and what chooses by a condition.
#include <limits>
#include <string>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::Value;

absl::StatusOr<Value> Not(OpImport& op, Value x) {
  return op.Add(OpKind::kBitwiseNot, NoAttrs(), {x});
}

absl::StatusOr<Value> Less(OpImport& op, Value a, Value b) {
  return op.Add(OpKind::kLess, NoAttrs(), {a, b});
}

absl::StatusOr<Value> Choose(OpImport& op, Value condition, Value a, Value b) {
  return op.Add(OpKind::kSelect, NoAttrs(), {condition, a, b});
}

// An operator on bits, which is one on truth values where these are bool.
absl::Status Logical(OpImport& op, OpKind kind) {
  for (int i = 0; i < op.num_inputs(); ++i) {
    if (op.InputType(i).dtype.is_bool()) continue;
    return Malformed("input ", i, " is ", op.InputType(i).ToString(),
                     " but bool is needed");
  }
  return op.SetResult(op.Add(kind, NoAttrs(), op.inputs()));
}

// kind(b, a)
absl::Status Swapped(OpImport& op, OpKind kind) {
  return op.SetResult(op.Add(kind, NoAttrs(), {op.Input(1), op.Input(0)}));
}

}  // namespace

absl::Status ImportAnd(OpImport& op) {
  return Logical(op, OpKind::kBitwiseAnd);
}
absl::Status ImportOr(OpImport& op) { return Logical(op, OpKind::kBitwiseOr); }
absl::Status ImportXor(OpImport& op) {
  return Logical(op, OpKind::kBitwiseXor);
}
absl::Status ImportNot(OpImport& op) {
  return Logical(op, OpKind::kBitwiseNot);
}

absl::Status ImportGreater(OpImport& op) { return Swapped(op, OpKind::kLess); }
absl::Status ImportGreaterOrEqual(OpImport& op) {
  return Swapped(op, OpKind::kLessEqual);
}

absl::Status ImportBitShift(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const std::string direction,
                         op.attributes().String("direction", ""));
  if (direction != "LEFT" && direction != "RIGHT") {
    return Malformed("attribute `direction` is ", Quote(direction),
                     " but LEFT or RIGHT is needed");
  }
  const OpKind kind =
      direction == "LEFT" ? OpKind::kShiftLeft : OpKind::kShiftRight;
  return op.SetResult(op.Add(kind, NoAttrs(), op.inputs()));
}

absl::Status ImportMod(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const bool fmod, op.attributes().Flag("fmod", false));
  if (!fmod && op.InputType(0).dtype.is_float()) {
    return Malformed("attribute `fmod` is 0 but the operands are ",
                     op.InputType(0).ToString(), "; floats need 1");
  }
  return op.SetResult(op.Add(fmod ? OpKind::kTruncMod : OpKind::kFloorMod,
                             NoAttrs(), op.inputs()));
}

// Only a NaN differs from itself.
absl::Status ImportIsNaN(OpImport& op) {
  const Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(const Value is_number,
                         op.Add(OpKind::kEqual, NoAttrs(), {x, x}));
  return op.SetResult(Not(op, is_number));
}

absl::Status ImportIsInf(OpImport& op) {
  Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(const bool negative,
                         op.attributes().Flag("detect_negative", true));
  ASSAY_ASSIGN_OR_RETURN(const bool positive,
                         op.attributes().Flag("detect_positive", true));
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (!negative && !positive) {
    ASSAY_ASSIGN_OR_RETURN(x, Less(op, x, x));
    return op.SetResult(x);
  }
  if (negative && positive) {
    ASSAY_ASSIGN_OR_RETURN(x, op.Add(OpKind::kAbs, NoAttrs(), {x}));
  }
  return op.SetResult(
      AddWithScalar(op, OpKind::kEqual, x, positive ? kInfinity : -kInfinity));
}

// x + bias below -lambd, x - bias above lambd, 0 between.
absl::Status ImportShrink(OpImport& op) {
  const Value x = op.Input(0);
  ASSAY_ASSIGN_OR_RETURN(const float bias, op.attributes().Float("bias", 0));
  ASSAY_ASSIGN_OR_RETURN(const float lambda,
                         op.attributes().Float("lambd", 0.5f));
  ASSAY_ASSIGN_OR_RETURN(const Value low, AddScalar(op, -lambda));
  ASSAY_ASSIGN_OR_RETURN(const Value high, AddScalar(op, lambda));
  ASSAY_ASSIGN_OR_RETURN(const Value zero, AddScalar(op, 0));
  ASSAY_ASSIGN_OR_RETURN(const Value up,
                         AddWithScalar(op, OpKind::kAdd, x, bias));
  ASSAY_ASSIGN_OR_RETURN(const Value down,
                         AddWithScalar(op, OpKind::kSubtract, x, bias));
  ASSAY_ASSIGN_OR_RETURN(const Value is_low, Less(op, x, low));
  ASSAY_ASSIGN_OR_RETURN(const Value is_high, Less(op, high, x));
  ASSAY_ASSIGN_OR_RETURN(const Value rest, Choose(op, is_high, down, zero));
  return op.SetResult(Choose(op, is_low, up, rest));
}

absl::Status ImportThresholdedRelu(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const float alpha, op.attributes().Float("alpha", 1));
  ASSAY_ASSIGN_OR_RETURN(const Value threshold, AddScalar(op, alpha));
  ASSAY_ASSIGN_OR_RETURN(const Value zero, AddScalar(op, 0));
  ASSAY_ASSIGN_OR_RETURN(const Value passes, Less(op, threshold, op.Input(0)));
  return op.SetResult(Choose(op, passes, op.Input(0), zero));
}

}  // namespace assay::frontend
