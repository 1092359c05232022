// Identity and Dropout: at inference the result is the operand.
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {

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

}  // namespace assay::frontend
