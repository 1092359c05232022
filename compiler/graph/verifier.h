// Verify: checks every invariant of a graph that the rest of the compiler
// relies on. The parser and the methods of Graph maintain all of them except
// the order; a pass that breaks one has a bug.
//
//   1. Ids are unique; a node holds its operator's attribute struct.
//   2. Operands are results of nodes earlier in the list of this graph.
//   3. Operand and user lists are symmetric.
//   4. Types are those that type inference returns for the operands.
//   5. The input list holds exactly the input nodes, with unique names.
//   6. There is an output; outputs are results of nodes of this graph.
//   7. A kernel's body satisfies all of this and contains no kernel.
#ifndef ASSAY_COMPILER_GRAPH_VERIFIER_H_
#define ASSAY_COMPILER_GRAPH_VERIFIER_H_

#include "absl/status/status.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Returns OK, or an internal error that names the node and the broken rule.
absl::Status Verify(const Graph& graph);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_VERIFIER_H_
