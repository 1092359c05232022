// PostDominators: the post-dominator tree of the operators of a graph.
//
// Node d post-dominates node n if every path from n to a graph output goes
// through d. The immediate post-dominator is the nearest such d other than n.
// These edges form a tree whose root is a virtual exit behind all graph
// outputs. The exit is the parent of outputs and of nodes without users.
//
// Each tree edge also carries the strongest PatternKind on any path from n to
// d, d included, which fusing n into d has to support. A broadcasting operator
// counts as elementwise for an operand that has the shape of its result.
//
// Inputs and constants are not operators and have no entry.
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
  // The list order of `graph` is topological.
  explicit PostDominators(const Graph& graph);

  // The immediate post-dominator; null for the exit.
  Node* Parent(const Node* node) const { return links_.at(node).parent; }
  // The pattern of the edge to Parent(), which is not null.
  PatternKind Edge(const Node* node) const { return links_.at(node).edge; }

 private:
  struct Link {
    Node* parent = nullptr;
    PatternKind edge = PatternKind::kElemWise;
    int depth = 1;  // the exit has depth 0
  };

  // A node, or the exit (null), and the strongest pattern on the path to it.
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
