// Type inference: computes the result types of an operator from the types of
// its operands and from its attributes.
//
// InferTypes checks everything that may come from a file: the number of
// operands, ranks, element types, attribute ranges and extents. The error
// message describes the problem; the caller adds the name of the node. The
// rules are in one file per operator family (rules.h).
//
// Results have the shapes that plain operands lead to. An operator that works
// element by element or window by window stores its result like its operands,
// if these are images in blocks of channels; all other results are plain.
//
// InferTypes CHECK-fails for the kinds kInput, kConstant and kKernel. The types
// of these nodes are known when the nodes are created (graph.cc).
#ifndef ASSAY_COMPILER_GRAPH_INFER_INFER_TYPES_H_
#define ASSAY_COMPILER_GRAPH_INFER_INFER_TYPES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/op.h"
#include "compiler/graph/op/tensor_type.h"

namespace assay::graph {

absl::StatusOr<std::vector<TensorType>> InferTypes(
    OpKind kind, const Attrs& attrs, absl::Span<const TensorType> inputs);

// Returns true for operators whose results are stored like their operands, if
// these are images in blocks of channels.
bool KeepsBlocks(OpKind kind);
// Returns true for a plain operand that such an operator reads as it is, while
// the others are in blocks of `channels` channels: a single element, or one per
// channel, with the shape [C,1,1] or [1,C,1,1].
bool IsPerChannelOrSingle(const TensorType& operand, int64_t channels);

// Returns the shape of the result of an operator that broadcasts its operands
// as numpy does: shapes are aligned at the last axis, and an axis of extent 1
// is repeated. Returns InvalidArgument if the shapes are not compatible.
absl::StatusOr<Shape> BroadcastShapes(const Shape& a, const Shape& b);

// Returns the number of positions of a sliding window along an axis of extent
// `in` with padding on both sides, or 0 if the window does not fit. Pool2dAttrs
// explains `ceil_mode`. InferTypes must have accepted the attributes.
int64_t WindowExtent(int64_t in, int64_t kernel, int64_t stride,
                     int64_t dilation, int64_t pad_before, int64_t pad_after,
                     bool ceil_mode);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_INFER_INFER_TYPES_H_
