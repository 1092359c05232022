// FusionGroups: the groups of operators that fuse_operators makes kernels of;
// fuse_operators.h has the rules. Does not change the graph.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_

#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/passes/fusion_options.h"

namespace assay::graph {

// The groups, ordered by their last operator, which computes the group's
// result. Each lists its operators in graph order. Kernel nodes are in no
// group.
std::vector<std::vector<Node*>> FusionGroups(const Graph& graph,
                                             const FusionOptions& options);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_
