#include "compiler/graph/infer_types.h"

#include <algorithm>

#include "compiler/graph/infer_types_internal.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace infer {

absl::Status ExpectInputs(Types inputs, size_t count) {
  if (inputs.size() == count) return absl::OkStatus();
  return Invalid("takes ", count, " operands, not ", inputs.size());
}

absl::Status ExpectAxis(int64_t axis, const TensorType& type) {
  if (axis >= 0 && axis < type.rank()) return absl::OkStatus();
  return Invalid("axis ", axis, " is not an axis of ", type.ToString());
}

absl::Status ExpectElements(Types inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].num_elements() > 0) continue;
    return Invalid("operand ", i, " is ", inputs[i].ToString(),
                   " and has no elements");
  }
  return absl::OkStatus();
}

namespace {

Result Dispatch(OpKind kind, const Attrs& attrs, Types inputs) {
  switch (kind) {
    case OpKind::kConv2d:
      return Conv2d(std::get<Conv2dAttrs>(attrs), inputs);
    case OpKind::kConv2dTranspose:
      return Conv2dTranspose(std::get<Conv2dTransposeAttrs>(attrs), inputs);
    case OpKind::kSlice:
      return Slice(std::get<SliceAttrs>(attrs), inputs);
    case OpKind::kPad:
      return Pad(std::get<PadAttrs>(attrs), inputs);
    case OpKind::kCast:
      return Cast(std::get<CastAttrs>(attrs), inputs);
    case OpKind::kQuantize:
    case OpKind::kDequantize:
    case OpKind::kRequantize:
      return Quantize(kind, std::get<QuantizeAttrs>(attrs), inputs);
    case OpKind::kBatchNorm:
      return BatchNorm(std::get<BatchNormAttrs>(attrs), inputs);
#define ASSAY_GRAPH_OP_CASE(kind, name, pattern, attrs) case OpKind::kind:
      ASSAY_FOR_EACH_UNARY_OP(ASSAY_GRAPH_OP_CASE)
      return Unary(kind, inputs);
      ASSAY_FOR_EACH_BINARY_OP(ASSAY_GRAPH_OP_CASE)
      return Binary(kind, inputs);
      ASSAY_FOR_EACH_REDUCE_OP(ASSAY_GRAPH_OP_CASE)
#undef ASSAY_GRAPH_OP_CASE
      return Reduce(kind, std::get<ReduceAttrs>(attrs), inputs);
    case OpKind::kSelect:
      return Select(inputs);
    case OpKind::kBroadcastTo:
      return BroadcastTo(std::get<ReshapeAttrs>(attrs), inputs);
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
      return Pool2d(std::get<Pool2dAttrs>(attrs), inputs);
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
      return GlobalPool2d(std::get<GlobalPool2dAttrs>(attrs), inputs);
    case OpKind::kArgMax:
    case OpKind::kArgMin:
      return ArgReduce(kind, std::get<ArgReduceAttrs>(attrs), inputs);
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
      return Softmax(std::get<SoftmaxAttrs>(attrs), inputs);
    case OpKind::kLayerNorm:
      return LayerNorm(std::get<LayerNormAttrs>(attrs), inputs);
    case OpKind::kDense:
      return Dense(inputs);
    case OpKind::kPackedDense:
      return PackedDense(std::get<PackedDenseAttrs>(attrs), inputs);
    case OpKind::kMatmul:
      return Matmul(inputs);
    case OpKind::kReshape:
      return Reshape(std::get<ReshapeAttrs>(attrs), inputs);
    case OpKind::kTranspose:
      return Transpose(std::get<TransposeAttrs>(attrs), inputs);
    case OpKind::kConcat:
      return Concat(std::get<ConcatAttrs>(attrs), inputs);
    case OpKind::kGather:
      return Gather(std::get<GatherAttrs>(attrs), inputs);
    case OpKind::kGatherElements:
      return GatherElements(std::get<GatherAttrs>(attrs), inputs);
    case OpKind::kGatherNd:
      return GatherNd(std::get<GatherNdAttrs>(attrs), inputs);
    case OpKind::kScatterElements:
      return ScatterElements(std::get<ScatterElementsAttrs>(attrs), inputs);
    case OpKind::kScatterNd:
      return ScatterNd(std::get<ScatterNdAttrs>(attrs), inputs);
    case OpKind::kArgSort:
      return ArgSort(std::get<ArgSortAttrs>(attrs), inputs);
    case OpKind::kCumSum:
      return CumSum(std::get<CumSumAttrs>(attrs), inputs);
    case OpKind::kResample:
      return Resample(std::get<ResampleAttrs>(attrs), inputs);
    case OpKind::kGridSample:
      return GridSample(std::get<GridSampleAttrs>(attrs), inputs);
    case OpKind::kRoiAlign:
      return RoiAlign(std::get<RoiAlignAttrs>(attrs), inputs);
    case OpKind::kMaxRoiPool:
      return MaxRoiPool(std::get<MaxRoiPoolAttrs>(attrs), inputs);
    case OpKind::kReverseSequence:
      return ReverseSequence(std::get<ReverseSequenceAttrs>(attrs), inputs);
    case OpKind::kLayoutTransform:
      return LayoutTransform(std::get<LayoutTransformAttrs>(attrs), inputs);
    case OpKind::kWinogradWeights:
      return WinogradWeights(std::get<WinogradWeightsAttrs>(attrs), inputs);
    case OpKind::kInput:
    case OpKind::kConstant:
    case OpKind::kKernel:
    case OpKind::kNonMaxSuppression:
    case OpKind::kNonZero:
    case OpKind::kUnique:
      break;
  }
  CHECK(false) << kind << " has no inference rule";
  return TensorType();
}

Results DispatchAll(OpKind kind, const Attrs& attrs, Types inputs) {
  switch (kind) {
    case OpKind::kNonMaxSuppression:
      return NonMaxSuppression(std::get<NonMaxSuppressionAttrs>(attrs), inputs);
    case OpKind::kNonZero:
      return NonZero(inputs);
    case OpKind::kUnique:
      return Unique(std::get<UniqueAttrs>(attrs), inputs);
    default: {
      ASSAY_ASSIGN_OR_RETURN(TensorType type, Dispatch(kind, attrs, inputs));
      return std::vector<TensorType>{std::move(type)};
    }
  }
}

}  // namespace
}  // namespace infer

absl::StatusOr<std::vector<TensorType>> InferTypes(
    OpKind kind, const Attrs& attrs, absl::Span<const TensorType> inputs) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<TensorType> types,
                         infer::DispatchAll(kind, attrs, inputs));
  for (const TensorType& type : types) {
    ASSAY_RETURN_IF_ERROR(CheckedNumElements(type.shape).status());
  }
  return types;
}

absl::StatusOr<Shape> BroadcastShapes(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      return infer::Invalid("shapes ", ShapeToString(a), " and ",
                            ShapeToString(b), " do not broadcast");
    }
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

int64_t WindowExtent(int64_t in, int64_t kernel, int64_t stride,
                     int64_t dilation, int64_t pad_before, int64_t pad_after,
                     bool ceil_mode) {
  const int64_t reach = dilation * (kernel - 1) + 1;
  const int64_t room = in + pad_before + pad_after - reach;
  if (room < 0) return 0;
  if (!ceil_mode) return room / stride + 1;
  int64_t extent = (room + stride - 1) / stride + 1;
  // The last window begins within the data or the padding before it.
  if ((extent - 1) * stride >= in + pad_before) --extent;
  return extent;
}

}  // namespace assay::graph
