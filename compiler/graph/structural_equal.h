// Structural equality: the same computation, node for node.
//
// Two graphs are equal if walks from their outputs find the same operators,
// attributes, types, constants and sharing, and end at the same inputs by
// position. Node ids, list order and the name of the graph are ignored; names
// and sources of nodes, inputs and outputs are compared only on request. Of
// nodes that no output needs, only the number is compared.
#ifndef ASSAY_COMPILER_GRAPH_STRUCTURAL_EQUAL_H_
#define ASSAY_COMPILER_GRAPH_STRUCTURAL_EQUAL_H_

#include <string>

#include "compiler/graph/graph.h"

namespace assay::graph {

struct EqualOptions {
  bool compare_names = false;
};

// Returns one sentence on the first difference found, with the nodes of both
// graphs; empty if the graphs are equal.
std::string FirstDifference(const Graph& a, const Graph& b,
                            const EqualOptions& options = {});

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_STRUCTURAL_EQUAL_H_
