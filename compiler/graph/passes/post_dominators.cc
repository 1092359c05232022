#include "compiler/graph/passes/post_dominators.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"

namespace assay::graph {
namespace {

PatternKind UsePattern(const Use& use) {
  const PatternKind pattern = OpPattern(use.user->kind());
  if (pattern == PatternKind::kBroadcast &&
      use.user->input(use.operand).type().shape == use.user->type().shape) {
    return PatternKind::kElemWise;
  }
  return pattern;
}

}  // namespace

bool IsOperator(const Node& node) {
  return node.kind() != OpKind::kInput && node.kind() != OpKind::kConstant;
}

PostDominators::PostDominators(const Graph& graph) {
  absl::flat_hash_set<const Node*> outputs;
  for (const Output& output : graph.outputs()) {
    outputs.insert(output.value.node);
  }
  // Users first: the parent of a node is computed from the links of its users.
  const std::vector<Node*> nodes = graph.Nodes();
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    const Node* node = *it;
    if (!IsOperator(*node)) continue;
    Way way;
    if (!outputs.contains(node) && !node->users().empty()) {
      way = {node->users()[0].user, UsePattern(node->users()[0])};
      for (const Use& use : node->users().subspan(1)) {
        way = Meet(way, {use.user, UsePattern(use)});
      }
    }
    links_[node] = {way.to, way.pattern, Depth(way.to) + 1};
  }
}

int PostDominators::Depth(const Node* node) const {
  return node == nullptr ? 0 : links_.at(node).depth;
}

PostDominators::Way PostDominators::Up(Way way) const {
  const Link& link = links_.at(way.to);
  return {link.parent, std::max(way.pattern, link.edge)};
}

PostDominators::Way PostDominators::Meet(Way a, Way b) const {
  while (a.to != b.to) {
    if (Depth(a.to) >= Depth(b.to)) {
      a = Up(a);
    } else {
      b = Up(b);
    }
  }
  return {a.to, std::max(a.pattern, b.pattern)};
}

}  // namespace assay::graph
