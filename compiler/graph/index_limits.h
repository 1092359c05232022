// IndexLimits: how large the integers in the inputs of a graph may be. Random
// inputs of a model with, for example, an embedding must be rows of its table.
//
// The limit of an input follows from the operators that use it as an index:
// gather, scatter and similar operators, and the comparison with 0, 1, …, n - 1
// to which a one-hot is imported. The input may have been cast or moved before.
#ifndef ASSAY_COMPILER_GRAPH_INDEX_LIMITS_H_
#define ASSAY_COMPILER_GRAPH_INDEX_LIMITS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"

namespace assay::graph {

// Returns for each input of `graph` the least number of elements that it
// indexes, or nullopt if it is not used as an index.
std::vector<std::optional<int64_t>> IndexLimits(const Graph& graph);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_INDEX_LIMITS_H_
