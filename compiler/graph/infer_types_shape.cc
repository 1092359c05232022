#include <vector>

#include "compiler/graph/infer_types_internal.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {

Result Reshape(const ReshapeAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_ASSIGN_OR_RETURN(const int64_t elements,
                         CheckedNumElements(attrs.shape));
  if (elements != inputs[0].num_elements()) {
    return Invalid("shape ", ShapeToString(attrs.shape), " has ", elements,
                   " elements but the operand is ", inputs[0].ToString());
  }
  return TensorType{inputs[0].dtype, attrs.shape};
}

Result Transpose(const TransposeAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  const TensorType& data = inputs[0];
  std::vector<bool> seen(data.rank(), false);
  TensorType type{data.dtype, {}};
  for (int64_t axis : attrs.perm) {
    if (axis < 0 || axis >= data.rank() || seen[axis]) break;
    seen[axis] = true;
    type.shape.push_back(data.shape[axis]);
  }
  if (type.rank() != data.rank() || attrs.perm.size() != seen.size()) {
    return Invalid("perm ", ShapeToString(attrs.perm),
                   " is not a permutation of the axes of ", data.ToString());
  }
  return type;
}

Result Concat(const ConcatAttrs& attrs, Types inputs) {
  if (inputs.empty()) return Invalid("takes at least one operand");
  TensorType type = inputs[0];
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.axis, type));
  for (size_t i = 1; i < inputs.size(); ++i) {
    TensorType other = inputs[i];
    if (other.rank() == type.rank()) {
      other.shape[attrs.axis] = type.shape[attrs.axis];
    }
    if (other != type) {
      return Invalid("operand ", i, " is ", inputs[i].ToString(),
                     " and operand 0 ", inputs[0].ToString(),
                     "; they may differ only on axis ", attrs.axis);
    }
    type.shape[attrs.axis] += inputs[i].shape[attrs.axis];
  }
  return type;
}

Result LayoutTransform(const LayoutTransformAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  TensorType type = inputs[0];
  const int64_t from = attrs.from_block;
  const int64_t to = attrs.to_block;
  if (from < 0 || to < 0) {
    return Invalid("channel blocks ", from, " and ", to,
                   " must not be negative");
  }
  if (type.rank() < (from > 0 ? 3 : 2) ||
      (from > 0 && type.shape.back() != from)) {
    return Invalid("operand is ", type.ToString(),
                   " but a channel axis in blocks of ", from, " is needed");
  }
  int64_t channels = type.shape[1];
  if (from > 0) {
    channels *= from;
    type.shape.pop_back();
  }
  if (to > 0) {
    if (channels % to != 0) {
      return Invalid(channels, " channels are not a multiple of the block ",
                     to);
    }
    type.shape.push_back(to);
  }
  type.shape[1] = to > 0 ? channels / to : channels;
  return type;
}

}  // namespace assay::graph::infer
