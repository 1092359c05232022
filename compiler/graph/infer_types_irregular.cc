// Operators whose results depend on the data in more than their elements.
#include <algorithm>

#include "compiler/graph/infer_types_internal.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {

Results NonMaxSuppression(const NonMaxSuppressionAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  const TensorType& boxes = inputs[0];
  const TensorType& scores = inputs[1];
  const bool fits =
      boxes.dtype == DType::Float32() && scores.dtype == DType::Float32() &&
      boxes.rank() == 3 && scores.rank() == 3 && boxes.shape[2] == 4 &&
      boxes.shape[0] == scores.shape[0] && boxes.shape[1] == scores.shape[2];
  if (!fits) {
    return Invalid("boxes are ", boxes.ToString(), " and scores ",
                   scores.ToString(),
                   " but float32[B,N,4] and float32[B,C,N] are needed");
  }
  if (attrs.most < 0 || !(attrs.iou_threshold >= 0)) {
    return Invalid("most is ", attrs.most, " and iou_threshold ",
                   attrs.iou_threshold, ", which must not be negative");
  }
  const int64_t rows = scores.shape[0] * scores.shape[1];
  const int64_t bound = rows * std::min(attrs.most, boxes.shape[1]);
  // A kernel writes something.
  return std::vector<TensorType>{
      {DType::Int64(), {std::max<int64_t>(bound, 1), 3}}, {DType::Int64(), {}}};
}

Results NonZero(Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  const int64_t n = inputs[0].num_elements();
  if (inputs[0].rank() == 0 || n == 0) {
    return Invalid("operand 0 is ", inputs[0].ToString(),
                   " but an axis and an element are needed");
  }
  return std::vector<TensorType>{{DType::Int64(), {inputs[0].rank(), n}},
                                 {DType::Int64(), {}}};
}

Results Unique(const UniqueAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  const TensorType& x = inputs[0];
  if (attrs.axis < 0 || attrs.axis >= x.rank() || x.num_elements() == 0) {
    return Invalid("axis ", attrs.axis, " is not an axis of ", x.ToString(),
                   " with elements");
  }
  const int64_t n = x.shape[attrs.axis];
  // A kernel compares rows element by element, in one expression.
  constexpr int64_t kMaxRow = 64;
  if (x.num_elements() / n > kMaxRow || x.dtype.is_bool()) {
    return Invalid("rows of ", x.ToString(), " along axis ", attrs.axis,
                   " cannot be compared; numbers, and up to ", kMaxRow,
                   " in a row, are supported");
  }
  const TensorType row{DType::Int64(), {n}};
  return std::vector<TensorType>{row, row, row, {DType::Int64(), {}}};
}

}  // namespace assay::graph::infer
