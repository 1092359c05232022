// PostDominators: the post-dominator tree of the operators of a graph.
//
// Node d post-dominates node n if every path from n to a graph output contains
// d. The immediate post-dominator of n is the nearest such d other than n. The
// edges from each node to its immediate post-dominator form a tree. The root of
// the tree is a virtual exit node after all graph outputs. The exit is the
// parent of graph outputs and of nodes without users.
//
// Each tree edge from n to d also carries the strongest PatternKind (op.h) of
// the nodes on the paths from n to d, including d but not n. A kernel that
// fuses n into d must support this pattern. A broadcasting operator counts as
// elementwise for an operand that has the type of the result.
//
// Inputs and constants are not operators and have no entry in the tree.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_POST_DOMINATORS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_POST_DOMINATORS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Returns true unless `node` is an input or a constant.
bool IsOperator(const Node& node);

class PostDominators {
 public:
  // The node list of `graph` must be in topological order.
  explicit PostDominators(const Graph& graph);

  // Returns the immediate post-dominator of `node`, or null if the immediate
  // post-dominator is the exit. `node` must be an operator.
  Node* Parent(const Node* node) const { return links_.at(node).parent; }
  // Returns the pattern of the edge to Parent(node), which must not be null.
  PatternKind Edge(const Node* node) const { return links_.at(node).edge; }

 private:
  struct Link {
    Node* parent = nullptr;
    PatternKind edge = PatternKind::kElemWise;
    int depth = 1;  // the exit has depth 0
  };

  // The end of a path in the tree, and the strongest pattern on this path. `to`
  // is null if the path ends at the exit.
  struct Way {
    Node* to = nullptr;
    PatternKind pattern = PatternKind::kElemWise;
  };

  int Depth(const Node* node) const;
  Way Up(Way way) const;
  Way Meet(Way a, Way b) const;

  absl::flat_hash_map<const Node*, Link> links_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_POST_DOMINATORS_H_
