// Type inference: the result types of an operator from its operands' types
// and its attributes.
//
// Everything that may come from a file is checked here: operand count, ranks,
// element types, attribute ranges, extents. The error says what is wrong; the
// caller adds which node it is. Not for inputs, constants and kernels, whose
// types are given with them (graph.cc).
#ifndef ASSAY_COMPILER_GRAPH_INFER_TYPES_H_
#define ASSAY_COMPILER_GRAPH_INFER_TYPES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/attrs.h"
#include "compiler/graph/op.h"
#include "compiler/graph/tensor_type.h"

namespace assay::graph {

absl::StatusOr<std::vector<TensorType>> InferTypes(
    OpKind kind, const Attrs& attrs, absl::Span<const TensorType> inputs);

// Numpy's rule: shapes are aligned at the last axis, an extent of 1 repeats.
absl::StatusOr<Shape> BroadcastShapes(const Shape& a, const Shape& b);

// Number of positions of a sliding window, for attributes that InferTypes has
// accepted. Both paddings count; see Pool2dAttrs for `ceil_mode`.
int64_t WindowExtent(int64_t in, int64_t kernel, int64_t stride,
                     int64_t dilation, int64_t pad_before, int64_t pad_after,
                     bool ceil_mode);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_INFER_TYPES_H_
