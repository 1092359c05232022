// FusionGroups: computes the groups of operators from which fuse_operators
// makes kernels. fuse_operators.h describes the rules. The graph is not
// changed.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.h"

namespace assay::graph {

struct FusionOptions {
  bool enabled = true;
  int max_group_size = 256;  // maximum number of operators in a group
  // Alignment in bytes of views (graph/views.h) in the memory plan; 0 if the
  // plan has no views.
  int64_t view_alignment = 0;
};

// Returns the operators of each group in graph order. The last operator of a
// group computes the results of the group, and the groups are in the graph
// order of these last operators. Kernel nodes belong to no group.
std::vector<std::vector<Node*>> FusionGroups(const Graph& graph,
                                             const FusionOptions& options);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_
