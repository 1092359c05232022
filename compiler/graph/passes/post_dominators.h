// PostDominators: for each operator of a graph, where all ways out of it meet.
//
// Node d post-dominates node n if every path from n to a graph output goes
// through d. The immediate post-dominator is the nearest such d other than n;
// it forms a tree whose root is an imagined exit behind all graph outputs. An
// output, and a node without users, has only the exit.
//
// Each tree edge also carries the strongest PatternKind met on any path from n
// to d, d included: what fusing n into d would have to compute through. A
// broadcasting operator counts as elementwise for an operand that has the
// shape of its result.
//
// Inputs and constants are not operators and have no entry.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_POST_DOMINATORS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_POST_DOMINATORS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Whether `node` computes something: not an input and not a constant.
bool IsOperator(const Node& node);

class PostDominators {
 public:
  // The list order of `graph` is topological.
  explicit PostDominators(const Graph& graph);

  // The immediate post-dominator; null where that is the exit.
  Node* Parent(const Node* node) const { return links_.at(node).parent; }
  // The pattern of the edge to Parent(), which is not null.
  PatternKind Edge(const Node* node) const { return links_.at(node).edge; }

 private:
  struct Link {
    Node* parent = nullptr;
    PatternKind edge = PatternKind::kElemWise;
    int depth = 1;  // the exit has depth 0
  };

  // A node, or the exit (null), and the strongest pattern on the way there.
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
