// BatchNormalization with the statistics of training, which are operands.
// The flag that asks for the batch's own statistics changed with the opsets:
// more than one result until 13, training_mode since 14; opsets 7 and 8 also
// could normalise each element of an image on its own (spatial=0).
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {

absl::Status ImportBatchNormalization(OpImport& op) {
  Attributes& attributes = op.attributes();
  graph::BatchNormAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.epsilon, attributes.Float("epsilon", 1e-5f));
  // How fast training forgets: without meaning here.
  ASSAY_RETURN_IF_ERROR(attributes.Float("momentum", 0.9f).status());
  if (op.opset() < 9) {
    ASSAY_ASSIGN_OR_RETURN(const bool spatial,
                           attributes.Flag("spatial", true));
    if (!spatial) {
      return Unsupported("attribute `spatial` is 0, which is not supported");
    }
  }
  bool training = op.opset() < 14 && op.num_results() > 1;
  if (op.opset() >= 14) {
    ASSAY_ASSIGN_OR_RETURN(training, attributes.Flag("training_mode", false));
  }
  if (training) {
    return Unsupported(
        "is in training mode, which is not supported; export the model for "
        "inference");
  }
  return op.SetResult(op.Add(graph::OpKind::kBatchNorm, attrs, op.inputs()));
}

}  // namespace assay::frontend
