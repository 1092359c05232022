#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {

Result ArgSort(OpKind, const ArgSortAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.axis, inputs[0]));
  TensorType type{DType::Int64(), inputs[0].shape};
  if (attrs.k < 0 || attrs.k > type.shape[attrs.axis]) {
    return Invalid("k is ", attrs.k, " but axis ", attrs.axis, " of ",
                   inputs[0].ToString(), " allows 0 to ",
                   type.shape[attrs.axis]);
  }
  type.shape[attrs.axis] = attrs.k;
  return type;
}

Results Unique(OpKind, const UniqueAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  const TensorType& x = inputs[0];
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.axis, x));
  const int64_t n = x.shape[attrs.axis];
  // A kernel compares rows element by element, in one expression.
  constexpr int64_t kMaxRow = 64;
  if ((n > 0 && x.num_elements() / n > kMaxRow) || x.dtype.is_bool()) {
    return Invalid("rows of ", x.ToString(), " along axis ", attrs.axis,
                   " cannot be compared; numbers, and up to ", kMaxRow,
                   " in a row, are supported");
  }
  const TensorType row{DType::Int64(), {n}};
  return std::vector<TensorType>{row, row, row, {DType::Int64(), {}}};
}

}  // namespace assay::graph::infer
