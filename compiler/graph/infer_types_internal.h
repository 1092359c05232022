// What the files of type inference share. One function per operator; the file
// says the family: infer_types_{elementwise,nn,image,irregular,reduce,shape,
// data,index}.cc.
#ifndef ASSAY_COMPILER_GRAPH_INFER_TYPES_INTERNAL_H_
#define ASSAY_COMPILER_GRAPH_INFER_TYPES_INTERNAL_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "compiler/graph/attrs.h"
#include "compiler/graph/tensor_type.h"

namespace assay::graph::infer {

using Types = absl::Span<const TensorType>;
using Result = absl::StatusOr<TensorType>;
using Results = absl::StatusOr<std::vector<TensorType>>;

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(args...));
}

absl::Status ExpectInputs(Types inputs, size_t count);
absl::Status ExpectAxis(int64_t axis, const TensorType& type);
absl::Status ExpectElements(Types inputs);

// infer_types_elementwise.cc
Result Unary(OpKind kind, Types inputs);
Result Binary(OpKind kind, Types inputs);
Result Select(Types inputs);
Result BroadcastTo(const ReshapeAttrs& attrs, Types inputs);

// infer_types_nn.cc
Result Conv2d(const Conv2dAttrs& attrs, Types inputs);
Result Conv2dTranspose(const Conv2dTransposeAttrs& attrs, Types inputs);
Result WinogradWeights(const WinogradWeightsAttrs& attrs, Types inputs);
Result BatchNorm(const BatchNormAttrs& attrs, Types inputs);
Result Pool2d(const Pool2dAttrs& attrs, Types inputs);
Result GlobalPool2d(const GlobalPool2dAttrs& attrs, Types inputs);
Result Dense(Types inputs);
Result PackedDense(const PackedDenseAttrs& attrs, Types inputs);
Result Matmul(Types inputs);

// infer_types_image.cc
Result Resample(const ResampleAttrs& attrs, Types inputs);
Result GridSample(const GridSampleAttrs& attrs, Types inputs);
Result RoiAlign(const RoiAlignAttrs& attrs, Types inputs);
Result MaxRoiPool(const MaxRoiPoolAttrs& attrs, Types inputs);
Result ReverseSequence(const ReverseSequenceAttrs& attrs, Types inputs);

// infer_types_irregular.cc: each has several results.
Results NonMaxSuppression(const NonMaxSuppressionAttrs& attrs, Types inputs);
Results NonZero(Types inputs);
Results Unique(const UniqueAttrs& attrs, Types inputs);

// infer_types_reduce.cc
Result Reduce(OpKind kind, const ReduceAttrs& attrs, Types inputs);
Result ArgReduce(OpKind kind, const ArgReduceAttrs& attrs, Types inputs);
Result Softmax(const SoftmaxAttrs& attrs, Types inputs);
Result LayerNorm(const LayerNormAttrs& attrs, Types inputs);

// infer_types_shape.cc
Result Reshape(const ReshapeAttrs& attrs, Types inputs);
Result Transpose(const TransposeAttrs& attrs, Types inputs);
Result Concat(const ConcatAttrs& attrs, Types inputs);
Result LayoutTransform(const LayoutTransformAttrs& attrs, Types inputs);

// infer_types_data.cc
Result Slice(const SliceAttrs& attrs, Types inputs);
Result Pad(const PadAttrs& attrs, Types inputs);
Result Cast(const CastAttrs& attrs, Types inputs);
Result Quantize(OpKind kind, const QuantizeAttrs& attrs, Types inputs);

// infer_types_index.cc
Result Gather(const GatherAttrs& attrs, Types inputs);
Result GatherElements(const GatherAttrs& attrs, Types inputs);
Result GatherNd(const GatherNdAttrs& attrs, Types inputs);
Result ScatterElements(const ScatterElementsAttrs& attrs, Types inputs);
Result ScatterNd(const ScatterNdAttrs& attrs, Types inputs);
Result ArgSort(const ArgSortAttrs& attrs, Types inputs);
Result CumSum(const CumSumAttrs& attrs, Types inputs);

}  // namespace assay::graph::infer

#endif  // ASSAY_COMPILER_GRAPH_INFER_TYPES_INTERNAL_H_
