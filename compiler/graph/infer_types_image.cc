// Operators that resample images, pool regions of them, or reverse sequences.
#include "compiler/graph/infer_types_internal.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

// More bins or points than any network has.
constexpr int64_t kMaxBins = 1 << 16;

absl::Status ExpectType(int i, const TensorType& type, DType dtype, int rank) {
  if (type.dtype == dtype && type.rank() == rank) return absl::OkStatus();
  return Invalid("operand ", i, " is ", type.ToString(), " but ",
                 dtype.ToString(), " of rank ", rank, " is needed");
}

// [R,C,rows,columns] of x [N,C,H,W], R regions and their attributes.
Result Pooled(const TensorType& x, int64_t regions, const Pair& output) {
  ASSAY_RETURN_IF_ERROR(ExpectType(0, x, DType::Float32(), 4));
  for (const int64_t bins : output) {
    if (bins < 1 || bins > kMaxBins) {
      return Invalid("output has ", bins, " bins; 1 to ", kMaxBins, " can be");
    }
  }
  if (x.num_elements() == 0) return Invalid(x.ToString(), " has no elements");
  return TensorType{x.dtype, {regions, x.shape[1], output[0], output[1]}};
}

}  // namespace

Result Resample(const ResampleAttrs& attrs, Types inputs) {
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

Result GridSample(const GridSampleAttrs& attrs, Types inputs) {
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

Result RoiAlign(const RoiAlignAttrs& attrs, Types inputs) {
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

Result MaxRoiPool(const MaxRoiPoolAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectType(1, inputs[1], DType::Float32(), 2));
  if (inputs[1].shape[1] != 5) {
    return Invalid("regions are ", inputs[1].ToString(),
                   " but float32[R,5] is needed");
  }
  return Pooled(inputs[0], inputs[1].shape[0], attrs.output);
}

Result ReverseSequence(const ReverseSequenceAttrs& attrs, Types inputs) {
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

}  // namespace assay::graph::infer
