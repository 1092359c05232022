#include "compiler/graph/builder/known_values.h"

#include <algorithm>
#include <utility>

#include "compiler/graph/reference/evaluate.h"

namespace assay::graph {
namespace {

bool IsConstant(const Node& node) { return node.kind() == OpKind::kConstant; }

// Returns true if a result of at most kMaxBytes from operands of this size is
// evaluated in less than about a second.
bool IsCheap(OpKind kind) {
  switch (kind) {
    case OpKind::kInput:
    case OpKind::kKernel:
    case OpKind::kNonMaxSuppression:
    case OpKind::kRoiAlign:
    case OpKind::kMaxRoiPool:
    case OpKind::kConv2d:
    case OpKind::kConv2dTranspose:
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
      return false;
    default:
      return true;
  }
}

// Operators whose results depend on few elements of their operands can read
// large constants.
bool HasSmallTypes(const Node& node) {
  const auto is_small = [](const TensorType& type) {
    return type.num_bytes() <= KnownValues::kMaxBytes;
  };
  if (!std::all_of(node.types().begin(), node.types().end(), is_small)) {
    return false;
  }
  if (OpPattern(node.kind()) <= PatternKind::kInjective) return true;
  return std::all_of(node.inputs().begin(), node.inputs().end(),
                     [&](Value input) { return is_small(input.type()); });
}

}  // namespace

// Visits operands before their users, with a stack of its own: the chain of
// operands of an unrolled loop is long.
bool KnownValues::IsKnown(const Node& root) {
  std::vector<const Node*> stack = {&root};
  while (!stack.empty()) {
    const Node& node = *stack.back();
    if (states_.contains(node.id())) {
      stack.pop_back();
      continue;
    }
    bool known = IsCheap(node.kind()) && HasSmallTypes(node);
    const size_t size = stack.size();
    for (size_t i = 0; known && i < node.inputs().size(); ++i) {
      const Node* operand = node.inputs()[i].node;
      if (IsConstant(*operand)) continue;
      const auto found = states_.find(operand->id());
      if (found == states_.end()) {
        stack.push_back(operand);
      } else {
        known = found->second.known;
      }
    }
    if (known && stack.size() > size) continue;  // visited again afterwards
    stack.resize(size - 1);
    states_[node.id()].known = known;
  }
  return states_.at(root.id()).known;
}

const NDArray* KnownValues::Stored(Value value) const {
  if (IsConstant(*value.node)) {
    return &value.node->attrs_as<ConstantAttrs>().value;
  }
  const auto found = states_.find(value.node->id());
  if (found == states_.end() || found->second.results.empty()) return nullptr;
  return &found->second.results[static_cast<size_t>(value.index)];
}

bool KnownValues::Evaluate(const Node& root) {
  std::vector<const Node*> stack = {&root};
  while (!stack.empty()) {
    const Node& node = *stack.back();
    State& state = states_.at(node.id());
    if (!state.known) return false;
    const size_t size = stack.size();
    std::vector<NDArray> operands;
    for (const Value input : node.inputs()) {
      const NDArray* stored = Stored(input);
      if (stored == nullptr) {
        stack.push_back(input.node);
      } else {
        operands.push_back(*stored);
      }
    }
    if (stack.size() > size) continue;  // visited again afterwards
    stack.pop_back();
    if (!state.results.empty()) continue;
    auto results = EvaluateNode(node, operands);
    if (!results.ok()) {
      state.known = false;
      return false;
    }
    for (const NDArray& result : *results) memory_->Use(result.num_bytes());
    state.results = *std::move(results);
  }
  return true;
}

const NDArray* KnownValues::Find(Value value) {
  if (const NDArray* stored = Stored(value)) return stored;
  if (!IsKnown(*value.node) || !Evaluate(*value.node)) return nullptr;
  return Stored(value);
}

}  // namespace assay::graph
