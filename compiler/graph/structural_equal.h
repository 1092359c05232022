// Structural equality: the same computation, node for node.
//
// Two graphs are equal if walking both from their outputs meets the same
// operators, attributes, types, constants and sharing, and ends at the same
// inputs by position. Node ids, list order and the graph's own name do not
// count; names and sources of nodes, inputs and outputs count only if asked
// for. Nodes that no output needs count by their number only.
#ifndef ASSAY_COMPILER_GRAPH_STRUCTURAL_EQUAL_H_
#define ASSAY_COMPILER_GRAPH_STRUCTURAL_EQUAL_H_

#include <string>

#include "compiler/graph/graph.h"

namespace assay::graph {

struct EqualOptions {
  bool compare_names = false;
};

// One sentence that shows the first difference found, with the nodes of both
// graphs; empty where the graphs are equal.
std::string FirstDifference(const Graph& a, const Graph& b,
                            const EqualOptions& options = {});

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_STRUCTURAL_EQUAL_H_
