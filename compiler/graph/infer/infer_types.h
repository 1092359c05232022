// Type inference: the result types of an operator from its operands' types
// and its attributes.
//
// Checks everything that may come from a file: operand count, ranks, element
// types, attribute ranges, extents. The error says what is wrong; the caller
// adds the name of the node. The rules are in one file per operator family
// (rules.h). Not for inputs, constants and kernels, whose types are given when
// they are created (graph.cc).
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

// Broadcasts as numpy does: shapes are aligned at the last axis, and an axis of
// extent 1 repeats.
absl::StatusOr<Shape> BroadcastShapes(const Shape& a, const Shape& b);

// Number of positions of a sliding window, for attributes that InferTypes has
// accepted. Both paddings count; see Pool2dAttrs for `ceil_mode`.
int64_t WindowExtent(int64_t in, int64_t kernel, int64_t stride,
                     int64_t dilation, int64_t pad_before, int64_t pad_after,
                     bool ceil_mode);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_INFER_INFER_TYPES_H_
