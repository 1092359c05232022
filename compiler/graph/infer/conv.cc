#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

Result ConvResult(const Conv2dAttrs& a, DType sum, const TensorType& data,
                  const TensorType& weights) {
  if (weights.rank() != 4) {
    return Invalid("weights are ", weights.ToString(), " but rank 4 is needed");
  }
  const int64_t channels = data.shape[1];
  const int64_t filters = weights.shape[0];
  if (a.groups < 1 || channels % a.groups != 0 || filters % a.groups != 0) {
    return Invalid(a.groups, " groups do not divide ", channels,
                   " channels and ", filters, " filters");
  }
  if (weights.shape[1] != channels / a.groups) {
    return Invalid("data has ", channels, " channels in ", a.groups,
                   " groups but weights expect ", weights.shape[1],
                   " per group");
  }
  ASSAY_ASSIGN_OR_RETURN(const Pair out,
                         WindowResult({{weights.shape[2], weights.shape[3]},
                                       a.strides,
                                       a.padding,
                                       a.dilations},
                                      data.shape[2], data.shape[3]));
  return TensorType{sum, {data.shape[0], filters, out[0], out[1]}};
}

// Floats are padded with 0, and integers with a value of their type.
absl::Status ExpectPadValue(int64_t value, DType dtype) {
  if (value == 0) return absl::OkStatus();
  const int64_t least =
      dtype.is_int() ? -(int64_t{1} << (dtype.bits() - 1)) : 0;
  if (!dtype.is_float() && dtype.bits() <= 16 && value >= least &&
      value < least + (int64_t{1} << dtype.bits())) {
    return absl::OkStatus();
  }
  return Invalid("pad_value ", value, " is not possible for data of type ",
                 dtype.ToString());
}

}  // namespace

Result Conv2d(OpKind, const Conv2dAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectImage(inputs[0]));
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectPadValue(attrs.pad_value, inputs[0].dtype));
  ASSAY_ASSIGN_OR_RETURN(const DType sum, DotProductType(inputs));
  return ConvResult(attrs, sum, inputs[0], inputs[1]);
}

Result Conv2dTranspose(OpKind, const Conv2dTransposeAttrs& a, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectImage(inputs[0]));
  const TensorType &x = inputs[0], &w = inputs[1];
  ASSAY_RETURN_IF_ERROR(ExpectRange("strides", a.strides, 1));
  ASSAY_RETURN_IF_ERROR(ExpectRange("padding", a.padding, 0));
  ASSAY_RETURN_IF_ERROR(ExpectRange("dilations", a.dilations, 1));
  ASSAY_RETURN_IF_ERROR(ExpectRange("output_padding", a.output_padding, 0));
  TensorType type = x;
  if (w.rank() != 4 || a.groups < 1 || x.shape[1] % a.groups != 0 ||
      w.shape[0] != x.shape[1]) {
    return Invalid("weights are ", w.ToString(), " for data ", x.ToString(),
                   " in ", a.groups, " groups");
  }
  type.shape[1] = w.shape[1] * a.groups;
  for (int d = 0; d < 2; ++d) {
    const int64_t reach = a.dilations[d] * (w.shape[d + 2] - 1) + 1;
    type.shape[d + 2] = (x.shape[d + 2] - 1) * a.strides[d] + reach -
                        a.padding[d] - a.padding[d + 2] + a.output_padding[d];
    if (type.shape[d + 2] < 1) {
      return Invalid("padding ", ShapeToString(a.padding),
                     " leaves nothing of the result");
    }
  }
  return type;
}

}  // namespace assay::graph::infer
