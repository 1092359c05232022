#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {

Result Pool2d(OpKind kind, const Pool2dAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  const DType dtype = inputs[0].dtype;
  const bool bytes = dtype == DType::Int(8) || dtype == DType::UInt(8);
  if (kind != OpKind::kMaxPool2d || !bytes) {
    ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  }
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectImage(inputs[0]));
  TensorType type = inputs[0];
  ASSAY_ASSIGN_OR_RETURN(
      const Pair out, WindowResult({attrs.kernel, attrs.strides, attrs.padding,
                                    attrs.dilations, attrs.ceil_mode},
                                   type.shape[2], type.shape[3]));
  for (int i = 0; i < 2; ++i) {
    const int64_t reach = attrs.dilations[i] * (attrs.kernel[i] - 1) + 1;
    if (attrs.padding[i] >= reach || attrs.padding[i + 2] >= reach) {
      return Invalid("padding ", ShapeToString(attrs.padding),
                     " is not smaller than the window ",
                     ShapeToString(attrs.kernel));
    }
  }
  type.shape[2] = out[0];
  type.shape[3] = out[1];
  return type;
}

Result GlobalPool2d(OpKind, const NoAttrs&, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectImage(inputs[0]));
  TensorType type = inputs[0];
  type.shape[2] = 1;
  type.shape[3] = 1;
  return type;
}

}  // namespace assay::graph::infer
