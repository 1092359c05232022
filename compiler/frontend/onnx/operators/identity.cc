// Identity and Dropout: at inference the result is the operand. So it is in
// training with a ratio of 0.
#include <algorithm>
#include <optional>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

absl::Status ImportIdentity(OpImport& op) {
  op.SetImportValues({op.Operand(0)});
  return absl::OkStatus();
}

// Nothing is dropped: the result is the operand, and the mask is true.
absl::Status Keep(OpImport& op) {
  // Before opset 10, the values of the mask at inference are not defined.
  if (op.opset() < 10 || !op.WantsResult(1)) return op.SetResult(op.Input(0));
  const graph::TensorType type = {DType::Bool(), op.InputType(0).shape};
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  NDArray mask(type.dtype, type.shape);
  const auto elements = mask.data<uint8_t>();
  std::fill(elements.begin(), elements.end(), uint8_t{1});
  op.SetResults({op.Input(0), op.AddConstant(std::move(mask))});
  return absl::OkStatus();
}

absl::Status ImportDropoutRatioAttribute(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(op.attributes().Float("ratio", 0.5f).status());
  return Keep(op);
}

absl::Status ImportDropoutRatioInput(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(op.attributes().OptionalInt("seed").status());
  bool training = false;
  if (op.HasInput(2)) {
    ASSAY_ASSIGN_OR_RETURN(
        training, KnownInteger(op, op.Input(2), "input 2 (training_mode)"));
  }
  const std::optional<float> ratio = KnownScalar(op, 1);
  if (training && ratio != 0.0f) {
    return Unsupported(
        "input 2 (training_mode) is true and the ratio is not 0; only "
        "inference is supported");
  }
  return Keep(op);
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
    {"Dropout", 7, 10, 1, 1, 2, ImportDropoutRatioAttribute},
    {"Dropout", 12, 22, 1, 3, 2, ImportDropoutRatioInput},
    {"Identity", 1, 13, 1, 1, 1, ImportIdentity},
    {"Identity", 14, 25, 1, 1, 1, ImportIdentity, /*takes_any_value=*/true},
};

}  // namespace

absl::Span<const OperatorRow> IdentityOperators() { return kOperators; }

}  // namespace assay::frontend
