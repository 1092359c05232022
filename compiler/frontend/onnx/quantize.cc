// Cast, QuantizeLinear and DequantizeLinear.
#include <string>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

// The zero point, which is 0 of `absent` where it is left out.
absl::StatusOr<Value> ZeroPoint(OpImport& op, DType absent) {
  if (op.HasInput(2)) return op.Input(2);
  return op.AddConstant(NDArray(absent, op.InputType(1).shape));
}

// The axis means something only where there are several scales.
absl::StatusOr<int64_t> ReadAxis(OpImport& op) {
  if (op.opset() < 13) return 0;
  ASSAY_ASSIGN_OR_RETURN(const int64_t given, op.attributes().Int("axis", 1));
  if (op.opset() >= 21) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t block,
                           op.attributes().Int("block_size", 0));
    if (block != 0) {
      return Unsupported("attribute `block_size` is ", block,
                         "; only 0 is supported");
    }
  }
  if (op.InputType(1).num_elements() == 1) return 0;
  return NormalizeAxis(op, "attribute `axis`", given, op.InputType(0).rank());
}

absl::Status CastTo(OpImport& op, DType type) {
  if (op.opset() >= 19) {
    // Of float8 types, which are not supported.
    ASSAY_RETURN_IF_ERROR(op.attributes().Flag("saturate", true).status());
  }
  if (type == op.InputType(0).dtype) return op.SetResult(op.Input(0));
  return op.SetResult(
      op.Add(OpKind::kCast, graph::CastAttrs{type}, {op.Input(0)}));
}

}  // namespace

absl::Status ImportCast(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto to, op.attributes().OptionalInt("to"));
  if (!to.has_value()) return Malformed("attribute `to` is missing");
  ASSAY_ASSIGN_OR_RETURN(const DType type, ElementType(*to, "attribute `to`"));
  return CastTo(op, type);
}

absl::Status ImportCastLike(OpImport& op) {
  return CastTo(op, op.InputType(1).dtype);
}

absl::Status ImportQuantizeLinear(OpImport& op) {
  graph::QuantizeAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.axis, ReadAxis(op));
  DType absent = DType::UInt(8);
  if (op.opset() >= 19) {
    ASSAY_RETURN_IF_ERROR(op.attributes().Flag("saturate", true).status());
  }
  if (op.opset() >= 21) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t code,
                           op.attributes().Int("output_dtype", 0));
    if (code != 0) {
      ASSAY_ASSIGN_OR_RETURN(absent,
                             ElementType(code, "attribute `output_dtype`"));
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const Value zero_point, ZeroPoint(op, absent));
  attrs.dtype = zero_point.type().dtype;
  return op.SetResult(
      op.Add(OpKind::kQuantize, attrs, {op.Input(0), op.Input(1), zero_point}));
}

absl::Status ImportDequantizeLinear(OpImport& op) {
  graph::QuantizeAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.axis, ReadAxis(op));
  attrs.dtype = DType::Float32();
  ASSAY_ASSIGN_OR_RETURN(const Value zero_point,
                         ZeroPoint(op, op.InputType(0).dtype));
  return op.SetResult(op.Add(OpKind::kDequantize, attrs,
                             {op.Input(0), op.Input(1), zero_point}));
}

}  // namespace assay::frontend
