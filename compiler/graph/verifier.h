// Verify: checks every invariant of a graph on which the rest of the compiler
// relies:
//
//   1. Ids are unique, and a node holds the attribute struct of its operator.
//   2. Each operand of a node is a result of a node that precedes it in the
//      node list of this graph.
//   3. Operand and user lists are consistent with each other.
//   4. Result types are equal to the types that type inference returns.
//   5. The input list holds exactly the input nodes. Their names are unique.
//   6. There is at least one output, and each output is a result of a node of
//      this graph.
//   7. The axis of a bounded output is an axis of its type. The output that
//      holds the extent of this axis has type int64 and one element.
//   8. The body of a kernel satisfies these rules and contains no kernel.
//
// The methods of Graph maintain rules 1, 3, 4 and 5. A pass after which a rule
// is broken has a bug.
#ifndef ASSAY_COMPILER_GRAPH_VERIFIER_H_
#define ASSAY_COMPILER_GRAPH_VERIFIER_H_

#include "absl/status/status.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Returns OK, or an Internal error that describes the first violation found.
absl::Status Verify(const Graph& graph);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_VERIFIER_H_
