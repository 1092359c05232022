#include "compiler/graph/passes/fusion_groups.h"

#include <algorithm>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "compiler/graph/passes/post_dominators.h"
#include "compiler/graph/views.h"

namespace assay::graph {
namespace {

// Returns true if an operand of the concat comes from an anchor, which cannot
// absorb a concat. Otherwise the operands can be computed while they are
// joined, which is free as well and lets the operators that follow join, too.
bool JoinsAnchors(const Node& concat) {
  for (const Value operand : concat.inputs()) {
    const Node* node = operand.node;
    while (IsOperator(*node) &&
           OpPattern(node->kind()) <= PatternKind::kBroadcast) {
      node = node->input(0).node;
    }
    if (OpPattern(node->kind()) == PatternKind::kOutEWiseFusable) return true;
  }
  return false;
}

// A concat of more operands is a kernel of its own. The expression of a concat
// that computes its operands contains the expressions of all of them, and
// detectors join the boxes of 90 classes, each selected in many steps.
constexpr int kMaxJoined = 32;

// Returns true for operators that absorb the elementwise operators after them.
bool IsAnchor(PatternKind pattern) {
  return pattern == PatternKind::kOutEWiseFusable ||
         pattern == PatternKind::kCommReduce;
}

// Union-find over operators. The representative of a group is the operator that
// computes its result.
class Grouping {
 public:
  Grouping(const Graph& graph, const FusionOptions& options)
      : dominators_(graph), max_group_size_(options.max_group_size) {
    Views views;
    if (options.view_alignment > 0) {
      views = FindViews(graph, options.view_alignment);
    }
    for (Node* node : graph.Nodes()) {
      if (!IsOperator(*node)) continue;
      operators_.push_back(node);
      const bool alone = node->kind() == OpKind::kConcat &&
                         (node->num_inputs() > kMaxJoined ||
                          (views.elided.contains(node) && JoinsAnchors(*node)));
      groups_[node] = {node, 1,
                       alone ? PatternKind::kOpaque : OpPattern(node->kind())};
    }
  }

  std::vector<std::vector<Node*>> Run() {
    for (auto it = operators_.rbegin(); it != operators_.rend(); ++it) {
      if (IsAnchor(Pattern(*it))) GrowAnchor(*it);
    }
    for (Node* node : operators_) JoinElementwise(node);
    for (Node* node : operators_) JoinInjective(node);
    return Collect();
  }

 private:
  struct Group {
    Node* parent = nullptr;
    // Valid for representatives only.
    int size = 0;
    PatternKind pattern = PatternKind::kOpaque;
  };

  Node* Find(Node* node) {
    Node* root = node;
    while (groups_.at(root).parent != root) root = groups_.at(root).parent;
    while (node != root) {
      Node*& parent = groups_.at(node).parent;
      node = parent;
      parent = root;
    }
    return root;
  }

  // The strongest pattern in the group of `node`.
  PatternKind Pattern(Node* node) { return groups_.at(Find(node)).pattern; }

  // All operators on paths from `from` to `sink`, `from` excluded; nullopt if
  // they are too many for a group.
  std::optional<std::vector<Node*>> Between(Node* from, Node* sink) const {
    std::vector<Node*> path = {sink};
    absl::flat_hash_set<Node*> seen = {sink};
    std::vector<Node*> pending = {from};
    while (!pending.empty()) {
      Node* node = pending.back();
      pending.pop_back();
      for (const Use& use : node->users()) {
        if (!seen.insert(use.user).second) continue;
        path.push_back(use.user);
        pending.push_back(use.user);
        if (static_cast<int>(path.size()) >= max_group_size_) {
          return std::nullopt;
        }
      }
    }
    return path;
  }

  // Merges `from`, `sink` and all operators between them if the pattern of the
  // latter is at most `inner`, that of the sink is at most `at_sink`, and the
  // size limit allows it.
  bool Fuse(Node* from, Node* sink, PatternKind inner, PatternKind at_sink) {
    const std::optional<std::vector<Node*>> path = Between(from, sink);
    if (!path.has_value()) return false;
    Node* target = Find(sink);
    absl::flat_hash_set<Node*> merged = {target, Find(from)};
    for (Node* node : *path) {
      if (Pattern(node) > (node == sink ? at_sink : inner)) return false;
      merged.insert(Find(node));
    }
    int size = 0;
    PatternKind pattern = PatternKind::kElemWise;
    for (Node* group : merged) {
      size += groups_.at(group).size;
      pattern = std::max(pattern, groups_.at(group).pattern);
    }
    if (size > max_group_size_) return false;
    for (Node* group : merged) groups_.at(group).parent = target;
    groups_.at(target).size = size;
    groups_.at(target).pattern = pattern;
    return true;
  }

  // Rule 1. Each anchor absorbs its whole chain before the next one is tried;
  // otherwise an earlier anchor could take part of a later one's chain.
  void GrowAnchor(Node* anchor) {
    Node* end = anchor;
    for (Node* next = dominators_.Parent(end); next != nullptr;
         end = next, next = dominators_.Parent(end)) {
      if (dominators_.Edge(end) != PatternKind::kElemWise ||
          !Fuse(end, next, PatternKind::kBroadcast, PatternKind::kBroadcast)) {
        return;
      }
    }
  }

  // Rule 2.
  void JoinElementwise(Node* node) {
    if (Pattern(node) > PatternKind::kBroadcast) return;
    Node* sink = dominators_.Parent(node);
    if (sink == nullptr || Find(sink) == Find(node)) return;
    // The edge excludes an anchor as the sink, but its group may have one.
    if (dominators_.Edge(node) > PatternKind::kCommReduce) return;
    Fuse(node, sink, PatternKind::kInjective, PatternKind::kOutEWiseFusable);
  }

  // Rule 3.
  void JoinInjective(Node* node) {
    if (Pattern(node) != PatternKind::kInjective) return;
    Node* sink = dominators_.Parent(node);
    if (sink == nullptr || Find(sink) == Find(node)) return;
    if (dominators_.Edge(node) > PatternKind::kInjective) return;
    Fuse(node, sink, PatternKind::kInjective, PatternKind::kInjective);
  }

  std::vector<std::vector<Node*>> Collect() {
    absl::flat_hash_map<Node*, std::vector<Node*>> members;
    for (Node* node : operators_) members[Find(node)].push_back(node);
    std::vector<std::vector<Node*>> groups;
    for (Node* node : operators_) {
      if (Find(node) != node || node->kind() == OpKind::kKernel) continue;
      groups.push_back(std::move(members.at(node)));
    }
    return groups;
  }

  const PostDominators dominators_;
  const int max_group_size_;
  std::vector<Node*> operators_;
  absl::flat_hash_map<const Node*, Group> groups_;
};

}  // namespace

std::vector<std::vector<Node*>> FusionGroups(const Graph& graph,
                                             const FusionOptions& options) {
  return Grouping(graph, options).Run();
}

}  // namespace assay::graph
