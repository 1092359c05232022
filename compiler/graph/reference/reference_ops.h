// The operators of the reference interpreter, one file per family. Operand
// types have passed inference; `type` is the result's. See evaluate.h.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_REFERENCE_OPS_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_REFERENCE_OPS_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/attrs.h"
#include "compiler/graph/tensor_type.h"
#include "runtime/base/ndarray.h"

namespace assay::graph::reference {

// conv.cc
NDArray Conv2d(const Conv2dAttrs& attrs, const NDArray& data,
               const NDArray& weights, const TensorType& type);

// winograd.cc: both by the definition in graph/winograd.h, in double.
NDArray WinogradWeights(const WinogradWeightsAttrs& attrs,
                        const NDArray& weights, const TensorType& type);
NDArray WinogradConv2d(const Conv2dAttrs& attrs, const NDArray& data,
                       const NDArray& weights, const TensorType& type);

// pool.cc
NDArray Pool2d(OpKind kind, const Pool2dAttrs& attrs, const NDArray& data,
               const TensorType& type);
NDArray GlobalPool2d(OpKind kind, const GlobalPool2dAttrs& attrs,
                     const NDArray& data, const TensorType& type);

// reduce.cc
NDArray Reduce(OpKind kind, const ReduceAttrs& attrs, const NDArray& x,
               const TensorType& type);

NDArray ArgReduce(OpKind kind, const ArgReduceAttrs& attrs, const NDArray& x,
                  const TensorType& type);

// softmax.cc
NDArray Softmax(int64_t axis, bool log, const NDArray& x);
NDArray LayerNorm(const LayerNormAttrs& attrs, const NDArray& x,
                  const NDArray& scale, const NDArray& bias);

// dense.cc
NDArray Dense(const NDArray& x, const NDArray& weights, const TensorType& type);
NDArray PackedDense(const NDArray& x, const NDArray& weights,
                    const TensorType& type);

// matmul.cc
NDArray Matmul(const NDArray& a, const NDArray& b, const TensorType& type);

// norm.cc
NDArray BatchNorm(const BatchNormAttrs& attrs, absl::Span<const NDArray> in);

// elementwise.cc
NDArray Unary(OpKind kind, const Attrs& attrs, const NDArray& x);
NDArray Binary(OpKind kind, const NDArray& a, const NDArray& b,
               const TensorType& type);
NDArray Select(const NDArray& condition, const NDArray& a, const NDArray& b,
               const TensorType& type);
NDArray BroadcastTo(const NDArray& x, const TensorType& type);

// data_movement.cc
NDArray Transpose(const NDArray& x, absl::Span<const int64_t> perm);
NDArray Concat(absl::Span<const NDArray> in, int64_t axis,
               const TensorType& type);
absl::StatusOr<NDArray> Gather(const NDArray& data, const NDArray& indices,
                               int64_t axis, const TensorType& type);

// index.cc
absl::StatusOr<NDArray> GatherElements(const NDArray& data,
                                       const NDArray& indices, int64_t axis,
                                       const TensorType& type);
absl::StatusOr<NDArray> GatherNd(const NDArray& data, const NDArray& indices,
                                 int64_t batch_dims, const TensorType& type);
absl::StatusOr<NDArray> ScatterElements(const ScatterElementsAttrs& attrs,
                                        const NDArray& data,
                                        const NDArray& indices,
                                        const NDArray& updates);
absl::StatusOr<NDArray> ScatterNd(const ScatterNdAttrs& attrs,
                                  const NDArray& data, const NDArray& indices,
                                  const NDArray& updates);

// scan.cc
NDArray ArgSort(const ArgSortAttrs& attrs, const NDArray& x,
                const TensorType& type);
NDArray CumSum(const CumSumAttrs& attrs, const NDArray& x);

// slice_pad.cc
NDArray Slice(const SliceAttrs& attrs, const NDArray& x);
NDArray Pad(const PadAttrs& attrs, const NDArray& x, const TensorType& type);

// quantize.cc
NDArray Cast(const NDArray& x, DType dtype);
NDArray Quantize(OpKind kind, const QuantizeAttrs& attrs,
                 absl::Span<const NDArray> in);

// conv_transpose.cc
NDArray Conv2dTranspose(const Conv2dTransposeAttrs& attrs, const NDArray& data,
                        const NDArray& weights, const TensorType& type);

// image.cc
NDArray Resample(const ResampleAttrs& attrs, absl::Span<const NDArray> in,
                 const TensorType& type);
NDArray GridSample(const GridSampleAttrs& attrs, absl::Span<const NDArray> in,
                   const TensorType& type);
NDArray RoiAlign(const RoiAlignAttrs& attrs, absl::Span<const NDArray> in,
                 const TensorType& type);
NDArray MaxRoiPool(const MaxRoiPoolAttrs& attrs, absl::Span<const NDArray> in,
                   const TensorType& type);
NDArray ReverseSequence(const ReverseSequenceAttrs& attrs, const NDArray& x,
                        const NDArray& lengths);

// irregular.cc: operators with several results, of the types `types`.
std::vector<NDArray> NonMaxSuppression(const NonMaxSuppressionAttrs& attrs,
                                       absl::Span<const NDArray> in,
                                       absl::Span<const TensorType> types);
std::vector<NDArray> NonZero(const NDArray& x,
                             absl::Span<const TensorType> types);
std::vector<NDArray> Unique(const UniqueAttrs& attrs, const NDArray& x,
                            absl::Span<const TensorType> types);

// layout.cc. A block of 0 is the plain layout.
NDArray LayoutTransform(const NDArray& x, int64_t from_block, int64_t to_block);
// [O/ob, I/ib, KH, KW, ib, ob], or [O/ob, I/ib, KH, KW, ib/d, ob, d], to
// [O, I, KH, KW].
NDArray UnpackConvWeights(const NDArray& weights);

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_REFERENCE_OPS_H_
