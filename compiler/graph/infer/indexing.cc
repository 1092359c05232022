#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

absl::Status ExpectIndices(const TensorType& type) {
  if (type.dtype == DType::Int64()) return absl::OkStatus();
  return Invalid("indices are ", type.ToString(), ", not int64");
}

// An axis that `indices` index is not empty.
absl::Status ExpectPickable(int64_t extent, const TensorType& data,
                            const TensorType& indices) {
  if (extent > 0 || indices.num_elements() == 0) return absl::OkStatus();
  return Invalid("indices are ", indices.ToString(), " but data is ",
                 data.ToString(), " and has no elements to pick");
}

// Indices of gather_elements and its kind: the rank of the data, and no larger
// than the data except on `axis`.
absl::Status ExpectIndexPerElement(int64_t axis, const TensorType& data,
                                   const TensorType& indices) {
  ASSAY_RETURN_IF_ERROR(ExpectAxis(axis, data));
  ASSAY_RETURN_IF_ERROR(ExpectIndices(indices));
  ASSAY_RETURN_IF_ERROR(ExpectPickable(data.shape[axis], data, indices));
  bool fits = indices.rank() == data.rank();
  for (int64_t d = 0; fits && d < data.rank(); ++d) {
    fits = d == axis || indices.shape[d] <= data.shape[d];
  }
  if (fits) return absl::OkStatus();
  return Invalid("indices are ", indices.ToString(), " but data is ",
                 data.ToString(), "; only axis ", axis, " may be larger");
}

// Type of the slices that the index tuples in the last axis of `indices`
// select. The first `batch_dims` axes of indices and data are the same.
Result Picked(int64_t batch_dims, const TensorType& data,
              const TensorType& indices) {
  ASSAY_RETURN_IF_ERROR(ExpectIndices(indices));
  const int64_t tuple = indices.rank() > 0 ? indices.shape.back() : 0;
  bool fits = indices.rank() > batch_dims && batch_dims >= 0 && tuple >= 1 &&
              batch_dims + tuple <= data.rank();
  for (int64_t d = 0; fits && d < batch_dims; ++d) {
    fits = indices.shape[d] == data.shape[d];
  }
  if (!fits) {
    return Invalid("indices are ", indices.ToString(), " but data is ",
                   data.ToString(), " with ", batch_dims, " batch axes");
  }
  for (int64_t d = batch_dims; d < batch_dims + tuple; ++d) {
    ASSAY_RETURN_IF_ERROR(ExpectPickable(data.shape[d], data, indices));
  }
  TensorType type{data.dtype, indices.shape};
  type.shape.pop_back();
  type.shape.insert(type.shape.end(), data.shape.begin() + batch_dims + tuple,
                    data.shape.end());
  return type;
}

absl::Status ExpectUpdates(const TensorType& updates, const TensorType& type,
                           ScatterReduction reduction) {
  if (updates != type) {
    return Invalid("updates are ", updates.ToString(), " but ", type.ToString(),
                   " is needed");
  }
  if (reduction == ScatterReduction::kNone || !type.dtype.is_bool()) {
    return absl::OkStatus();
  }
  return Invalid("updates are ", updates.ToString(),
                 ", which cannot be combined");
}

}  // namespace

Result Gather(OpKind, const GatherAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  const TensorType& data = inputs[0];
  const TensorType& indices = inputs[1];
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.axis, data));
  ASSAY_RETURN_IF_ERROR(ExpectIndices(indices));
  ASSAY_RETURN_IF_ERROR(ExpectPickable(data.shape[attrs.axis], data, indices));
  TensorType type{data.dtype, {}};
  const auto axis = data.shape.begin() + attrs.axis;
  type.shape.assign(data.shape.begin(), axis);
  type.shape.insert(type.shape.end(), indices.shape.begin(),
                    indices.shape.end());
  type.shape.insert(type.shape.end(), axis + 1, data.shape.end());
  return type;
}

Result GatherElements(OpKind, const GatherAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(
      ExpectIndexPerElement(attrs.axis, inputs[0], inputs[1]));
  return TensorType{inputs[0].dtype, inputs[1].shape};
}

Result GatherNd(OpKind, const GatherNdAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  return Picked(attrs.batch_dims, inputs[0], inputs[1]);
}

Result ScatterElements(OpKind, const ScatterElementsAttrs& attrs,
                       Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 3));
  ASSAY_RETURN_IF_ERROR(
      ExpectIndexPerElement(attrs.axis, inputs[0], inputs[1]));
  ASSAY_RETURN_IF_ERROR(
      ExpectUpdates(inputs[2], TensorType{inputs[0].dtype, inputs[1].shape},
                    attrs.reduction));
  return inputs[0];
}

Result ScatterNd(OpKind, const ScatterNdAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 3));
  ASSAY_ASSIGN_OR_RETURN(const TensorType updates,
                         Picked(0, inputs[0], inputs[1]));
  ASSAY_RETURN_IF_ERROR(ExpectUpdates(inputs[2], updates, attrs.reduction));
  return inputs[0];
}

Results NonZero(OpKind, const NoAttrs&, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  const int64_t n = inputs[0].num_elements();
  if (inputs[0].rank() == 0) {
    return Invalid("operand 0 is ", inputs[0].ToString(),
                   " but an axis is needed");
  }
  return std::vector<TensorType>{{DType::Int64(), {inputs[0].rank(), n}},
                                 {DType::Int64(), {}}};
}

}  // namespace assay::graph::infer
