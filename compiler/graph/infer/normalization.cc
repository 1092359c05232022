#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {

Result BatchNorm(OpKind, const BatchNormAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 5));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  if (!(attrs.epsilon >= 0)) {
    return Invalid("epsilon ", attrs.epsilon, " is not a positive number");
  }
  if (inputs[0].rank() < 2) {
    return Invalid("data is ", inputs[0].ToString(),
                   " and has no channel axis");
  }
  const int64_t channels = inputs[0].shape[1];
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i].shape != Shape{channels}) {
      return Invalid("operand ", i, " is ", inputs[i].ToString(),
                     " but data has ", channels, " channels");
    }
  }
  return inputs[0];
}

Result Softmax(OpKind, const SoftmaxAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  if (inputs[0].dtype != DType::Float64()) {
    ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  }
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.axis, inputs[0]));
  return inputs[0];
}

Result LayerNorm(OpKind, const LayerNormAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 3));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.axis, inputs[0]));
  if (!(attrs.epsilon >= 0)) {
    return Invalid("epsilon ", attrs.epsilon, " is not a positive number");
  }
  const Shape& shape = inputs[0].shape;
  const Shape rest(shape.begin() + attrs.axis, shape.end());
  for (int i = 1; i < 3; ++i) {
    if (inputs[i].shape == rest) continue;
    return Invalid("operand ", i, " is ", inputs[i].ToString(),
                   " but the normalised axes are ", ShapeToString(rest));
  }
  return inputs[0];
}

}  // namespace assay::graph::infer
