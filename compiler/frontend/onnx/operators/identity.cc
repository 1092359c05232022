// Identity and Dropout: at inference the result is the operand.
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

absl::Status ImportIdentity(OpImport& op) { return op.SetResult(op.Input(0)); }

absl::Status ImportDropoutRatioAttribute(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(op.attributes().Float("ratio", 0.5f).status());
  return op.SetResult(op.Input(0));
}

absl::Status ImportDropoutRatioInput(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(op.attributes().OptionalInt("seed").status());
  if (op.HasInput(2)) {
    const NDArray* training = op.ConstantInput(2);
    if (training == nullptr || !training->dtype().is_bool() ||
        training->num_elements() != 1 || training->data<uint8_t>()[0] != 0) {
      return Unsupported(
          "input 2 (training_mode) is not the constant false; only inference "
          "is supported");
    }
  }
  return op.SetResult(op.Input(0));
}

absl::Status ImportDropoutOpset6(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const bool test,
                         op.attributes().Flag("is_test", false));
  if (!test) {
    return Unsupported("attribute `is_test` is 0; only inference is supported");
  }
  return ImportDropoutRatioAttribute(op);
}

constexpr OperatorRow kOperators[] = {
    {"Dropout", 6, 6, 1, 1, 2, ImportDropoutOpset6},
    {"Dropout", 7, 11, 1, 1, 2, ImportDropoutRatioAttribute},
    {"Dropout", 12, 21, 1, 3, 2, ImportDropoutRatioInput},
    {"Identity", 7, 21, 1, 1, 1, ImportIdentity},
};

}  // namespace

absl::Span<const OperatorRow> IdentityOperators() { return kOperators; }

}  // namespace assay::frontend
