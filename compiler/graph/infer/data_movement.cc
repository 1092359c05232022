#include <cstdlib>
#include <vector>

#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

bool InRange(absl::Span<const int64_t> values, int64_t low) {
  for (int64_t v : values) {
    if (v < low || v > kMaxAttr) return false;
  }
  return true;
}

}  // namespace

Result Reshape(OpKind, const ReshapeAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_ASSIGN_OR_RETURN(const int64_t elements,
                         CheckedNumElements(attrs.shape));
  if (elements != inputs[0].num_elements()) {
    return Invalid("shape ", ShapeToString(attrs.shape), " has ", elements,
                   " elements but the operand is ", inputs[0].ToString());
  }
  return TensorType{inputs[0].dtype, attrs.shape};
}

Result BroadcastTo(OpKind, const ReshapeAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(attrs.shape).status());
  const auto shape = BroadcastShapes(inputs[0].shape, attrs.shape);
  if (!shape.ok() || *shape != attrs.shape) {
    return Invalid("operand is ", inputs[0].ToString(),
                   ", which does not broadcast to ",
                   ShapeToString(attrs.shape));
  }
  return TensorType{inputs[0].dtype, attrs.shape};
}

Result Transpose(OpKind, const TransposeAttrs& attrs, Types inputs) {
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

Result Concat(OpKind, const ConcatAttrs& attrs, Types inputs) {
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

Result Slice(OpKind, const SliceAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  const TensorType& x = inputs[0];
  const size_t rank = x.shape.size();
  if (attrs.begins.size() != rank || attrs.steps.size() != rank ||
      attrs.sizes.size() != rank) {
    return Invalid("begins, steps and sizes need one entry for each axis of ",
                   x.ToString());
  }
  for (size_t d = 0; d < rank; ++d) {
    const int64_t begin = attrs.begins[d], step = attrs.steps[d];
    const int64_t size = attrs.sizes[d];
    const bool sane = step != 0 && std::abs(step) <= kMaxAttr && size >= 0 &&
                      size <= x.shape[d];
    const int64_t last = sane ? begin + (size - 1) * step : -1;
    const bool inside =
        begin >= 0 && begin < x.shape[d] && last >= 0 && last < x.shape[d];
    if (!sane || (size > 0 && !inside)) {
      return Invalid("begins ", ShapeToString(attrs.begins), ", steps ",
                     ShapeToString(attrs.steps), " and sizes ",
                     ShapeToString(attrs.sizes), " leave ", x.ToString());
    }
  }
  return TensorType{x.dtype, attrs.sizes};
}

Result Pad(OpKind, const PadAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  TensorType type = inputs[0];
  const size_t rank = type.shape.size();
  if (attrs.before.size() != rank || attrs.after.size() != rank ||
      !InRange(attrs.before, 0) || !InRange(attrs.after, 0)) {
    return Invalid("before ", ShapeToString(attrs.before), " and after ",
                   ShapeToString(attrs.after), " need one entry between 0 and ",
                   kMaxAttr, " for each axis of ", type.ToString());
  }
  for (size_t d = 0; d < rank; ++d) {
    type.shape[d] += attrs.before[d] + attrs.after[d];
  }
  return type;
}

Result ReverseSequence(OpKind, const ReverseSequenceAttrs& attrs,
                       Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  const TensorType& x = inputs[0];
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.batch_axis, x));
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.time_axis, x));
  ASSAY_RETURN_IF_ERROR(ExpectType(1, inputs[1], DType::Int64(), 1));
  if (attrs.batch_axis == attrs.time_axis ||
      inputs[1].shape[0] != x.shape[attrs.batch_axis]) {
    return Invalid("lengths are ", inputs[1].ToString(), " for axis ",
                   attrs.batch_axis, " of ", x.ToString(),
                   ", reversed along axis ", attrs.time_axis);
  }
  return x;
}

Result Encode(OpKind, const NoAttrs&, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  return inputs[0];
}

}  // namespace assay::graph::infer
