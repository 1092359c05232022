#include <algorithm>

#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

// Upper bound of bins and sampling points, above those of any network.
constexpr int64_t kMaxBins = 1 << 16;

// Type [R,C,rows,columns] of R regions pooled from x [N,C,H,W].
Result Pooled(const TensorType& x, int64_t regions, const Pair& output) {
  ASSAY_RETURN_IF_ERROR(ExpectType(0, x, DType::Float32(), 4));
  for (const int64_t bins : output) {
    if (bins < 1 || bins > kMaxBins) {
      return Invalid("output has ", bins, " bins; 1 to ", kMaxBins,
                     " are supported");
    }
  }
  if (x.num_elements() == 0) return Invalid(x.ToString(), " has no elements");
  return TensorType{x.dtype, {regions, x.shape[1], output[0], output[1]}};
}

}  // namespace

Result Resample(OpKind, const ResampleAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 3));
  TensorType type = inputs[0];
  ASSAY_RETURN_IF_ERROR(ExpectType(0, type, DType::Float32(), type.rank()));
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.axis, type));
  ASSAY_RETURN_IF_ERROR(ExpectType(1, inputs[1], DType::Int32(), 2));
  ASSAY_RETURN_IF_ERROR(ExpectType(2, inputs[2], DType::Float32(), 2));
  if (inputs[1].shape != inputs[2].shape || inputs[1].shape[1] < 1 ||
      type.shape[attrs.axis] < 1) {
    return Invalid("indices are ", inputs[1].ToString(), " and weights ",
                   inputs[2].ToString(), " of an axis of ",
                   type.shape[attrs.axis],
                   " elements; one of each for each tap is needed");
  }
  type.shape[attrs.axis] = inputs[1].shape[0];
  return type;
}

Result GridSample(OpKind, const GridSampleAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  const TensorType& x = inputs[0];
  const TensorType& grid = inputs[1];
  if (x.rank() < 3 || x.rank() > 5 || x.num_elements() == 0) {
    return Invalid("operand 0 is ", x.ToString(),
                   " but 1 to 3 spatial axes are needed");
  }
  ASSAY_RETURN_IF_ERROR(ExpectType(0, x, DType::Float32(), x.rank()));
  ASSAY_RETURN_IF_ERROR(ExpectType(1, grid, DType::Float32(), x.rank()));
  if (grid.shape[0] != x.shape[0] || grid.shape.back() != x.rank() - 2) {
    return Invalid("the grid is ", grid.ToString(), ", which does not fit ",
                   x.ToString());
  }
  if (attrs.taps != 1 && attrs.taps != 2 && attrs.taps != 4) {
    return Invalid("taps is ", attrs.taps, " but 1, 2 or 4 is needed");
  }
  TensorType type{x.dtype, {x.shape[0], x.shape[1]}};
  type.shape.insert(type.shape.end(), grid.shape.begin() + 1,
                    grid.shape.end() - 1);
  return type;
}

Result RoiAlign(OpKind, const RoiAlignAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 3));
  ASSAY_RETURN_IF_ERROR(ExpectType(1, inputs[1], DType::Float32(), 2));
  ASSAY_RETURN_IF_ERROR(ExpectType(2, inputs[2], DType::Int64(), 1));
  const int64_t regions = inputs[2].shape[0];
  if (inputs[1].shape != Shape{regions, 4} || attrs.sampling < 0 ||
      attrs.sampling > kMaxBins) {
    return Invalid("regions are ", inputs[1].ToString(), " of images ",
                   inputs[2].ToString(), " with sampling ", attrs.sampling,
                   "; float32[R,4], int64[R] and 0 to ", kMaxBins,
                   " are needed");
  }
  return Pooled(inputs[0], regions, attrs.output);
}

Result MaxRoiPool(OpKind, const MaxRoiPoolAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectType(1, inputs[1], DType::Float32(), 2));
  if (inputs[1].shape[1] != 5) {
    return Invalid("regions are ", inputs[1].ToString(),
                   " but float32[R,5] is needed");
  }
  return Pooled(inputs[0], inputs[1].shape[0], attrs.output);
}

Results NonMaxSuppression(OpKind, const NonMaxSuppressionAttrs& attrs,
                          Types inputs) {
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
  if (boxes.num_elements() > 0) {
    ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
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

}  // namespace assay::graph::infer
