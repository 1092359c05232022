// Structural equality of graphs: both graphs do the same computation with the
// same nodes.
//
// The comparison follows operands from the outputs to the inputs. Two graphs
// are equal if
//   - corresponding nodes have the same operators, attributes, types and
//     constants;
//   - each node corresponds to exactly one node of the other graph, so that a
//     result that has several users in one graph also has them in the other;
//   - corresponding inputs have the same position in the list of inputs;
//   - of two corresponding outputs, either neither is bounded (see Output in
//     graph.h), or both are bounded along the same axis. In the latter case,
//     the outputs that hold the two extents have the same position in the list
//     of outputs;
//   - both graphs have the same total number of nodes.
// Node ids, list order and the names of the graphs are ignored. Names of inputs
// and outputs, and names and sources of nodes, are compared only if
// `compare_names` is true.
#ifndef ASSAY_COMPILER_GRAPH_STRUCTURAL_EQUAL_H_
#define ASSAY_COMPILER_GRAPH_STRUCTURAL_EQUAL_H_

#include <string>

#include "compiler/graph/graph.h"

namespace assay::graph {

struct EqualOptions {
  bool compare_names = false;
};

// Returns a sentence about the first difference found, or an empty string if
// the graphs are equal.
std::string FirstDifference(const Graph& a, const Graph& b,
                            const EqualOptions& options = {});

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_STRUCTURAL_EQUAL_H_
