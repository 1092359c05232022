// FusionGroups: which operators fuse_operators puts into one kernel; see
// fuse_operators.h for the rules. Looks at the graph without changing it.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_

#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/passes/fusion_options.h"

namespace assay::graph {

// The groups in the order of their last operator, which computes the group's
// result; each lists its operators in graph order. Kernel nodes are in none.
std::vector<std::vector<Node*>> FusionGroups(const Graph& graph,
                                             const FusionOptions& options);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_
