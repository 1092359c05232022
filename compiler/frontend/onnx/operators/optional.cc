// Operators on optional values, whose presence is known during import. Since
// opset 18, a tensor or a sequence is also accepted as an optional value that
// is present. It is accepted in earlier opsets, too, because a loop may carry
// an optional value in its first iteration and its content in later ones.
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// Returns InvalidArgument if the attribute `type` does not agree with `content`
// in the kind and in the element type.
absl::Status CheckType(const onnx::TypeProto& type,
                       const ImportValue& content) {
  const bool is_sequence = type.has_sequence_type();
  const onnx::TypeProto& declared =
      is_sequence ? type.sequence_type().elem_type() : type;
  if (!declared.has_tensor_type() || is_sequence != content.is_sequence()) {
    return Malformed("attribute `type` is not the type of input 0, which is ",
                     content.KindName());
  }
  ASSAY_ASSIGN_OR_RETURN(const DType dtype,
                         ReadElementType(declared.tensor_type().elem_type()));
  const DType actual =
      is_sequence ? content.sequence().dtype : content.tensor().type().dtype;
  if (dtype == actual) return absl::OkStatus();
  return Malformed("attribute `type` has elements of ", dtype.ToString(),
                   " but input 0 has elements of ", actual.ToString());
}

absl::Status ImportOptional(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const onnx::TypeProto* type,
                         op.attributes().OptionalType("type"));
  if (!op.HasInput(0)) {
    if (type == nullptr) {
      return Malformed("has neither an input nor the attribute `type`");
    }
    op.SetImportValues({ImportValue::Absent()});
    return absl::OkStatus();
  }
  const ImportValue& content = op.Operand(0);
  if (content.is_optional()) return op.InputTensor(0).status();
  if (type != nullptr) ASSAY_RETURN_IF_ERROR(CheckType(*type, content));
  op.SetImportValues({ImportValue::Present(content)});
  return absl::OkStatus();
}

absl::Status ImportOptionalGetElement(OpImport& op) {
  const ImportValue& value = op.Operand(0);
  if (value.is_optional() && !value.is_present()) {
    return Malformed("input 0 contains no value");
  }
  op.SetImportValues({value.is_optional() ? value.content() : value});
  return absl::OkStatus();
}

absl::Status ImportOptionalHasElement(OpImport& op) {
  const bool has_element = op.HasInput(0) && (!op.Operand(0).is_optional() ||
                                              op.Operand(0).is_present());
  NDArray result(DType::Bool(), {});
  result.data<uint8_t>()[0] = has_element ? 1 : 0;
  return op.SetResult(op.AddConstant(result));
}

constexpr OperatorRow kOperators[] = {
    {"Optional", 15, 28, 0, 1, 1, ImportOptional, /*takes_any_value=*/true},
    {"OptionalGetElement", 15, 28, 1, 1, 1, ImportOptionalGetElement,
     /*takes_any_value=*/true},
    {"OptionalHasElement", 15, 15, 1, 1, 1, ImportOptionalHasElement,
     /*takes_any_value=*/true},
    {"OptionalHasElement", 18, 28, 0, 1, 1, ImportOptionalHasElement,
     /*takes_any_value=*/true},
};

}  // namespace

absl::Span<const OperatorRow> OptionalOperators() { return kOperators; }

}  // namespace assay::frontend
