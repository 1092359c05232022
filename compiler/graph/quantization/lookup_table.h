// Rewrites elementwise functions between bytes as lookup tables.
//
// If the operand of `quantize` is computed from a single dequantized tensor of
// bytes by elementwise operators and constants of one element, the result has
// at most 256 different values. They are computed once, with the reference
// interpreter, and the function becomes a gather from the table. The result is
// therefore the same on every target, also of functions that are approximated
// elsewhere, such as sigmoid.
#ifndef ASSAY_COMPILER_GRAPH_QUANTIZATION_LOOKUP_TABLE_H_
#define ASSAY_COMPILER_GRAPH_QUANTIZATION_LOOKUP_TABLE_H_

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Replaces the quantize `node` and returns true, or returns false if its
// operand does not have this form.
absl::StatusOr<bool> RewriteAsTable(Graph& graph, Node* node);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_QUANTIZATION_LOOKUP_TABLE_H_
