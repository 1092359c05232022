// FilterSums: what a zero point of the data adds to the result of an integer
// product.
//
//   sum of (x + zero) * w  =  sum of x * w  +  zero * sum of w
//
// If the weights are constant, the last term is a constant per filter, so data
// with a zero point can remain in bytes.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FILTER_SUMS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FILTER_SUMS_H_

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/passes/folding_builder.h"

namespace assay::graph {

// Returns the sum of the weights of each filter times `zero` as an int32 value.
// Its shape broadcasts to the result of `node`, which must be a conv2d in the
// plain layout, a dense or a matmul. `weights` is an integer value with the
// shape of operand 1 of `node`. `zero` is an integer value with one element.
// Sums and products wrap around.
absl::StatusOr<Value> FilterSums(FoldingBuilder& add, const Node* node,
                                 Value weights, Value zero);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FILTER_SUMS_H_
