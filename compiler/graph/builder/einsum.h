// AddEinsum: multiplies and sums tensors by an equation such as `bij,bjk->bik`,
// with the syntax of numpy.einsum.
//
// Operands are multiplied from left to right, each product as a matmul of
// [batch, left, sum] and [batch, sum, right]. An index that neither a later
// operand nor the result has is summed as early as possible.
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_EINSUM_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_EINSUM_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/builder/graph_builder.h"

namespace assay::graph {

// There must be at least one operand. Axes of extent one are repeated. Returns
// InvalidArgument if the equation is malformed or does not fit the operands.
absl::StatusOr<Value> AddEinsum(GraphBuilder& op, std::string equation,
                                absl::Span<const Value> operands);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_EINSUM_H_
