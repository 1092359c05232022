#include "compiler/graph/passes/fuse_operators.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/passes/fusion_groups.h"
#include "compiler/graph/passes/post_dominators.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// A kernel's name lists at most this many operators; the rest are counted.
constexpr size_t kMaxNamedOps = 8;

// `conv2d`, `fused_conv2d_add_relu`.
std::string KernelName(const std::vector<Node*>& group) {
  if (group.size() == 1) return std::string(OpName(group[0]->kind()));
  std::string name = "fused";
  for (size_t i = 0; i < group.size() && i < kMaxNamedOps; ++i) {
    absl::StrAppend(&name, "_", OpName(group[i]->kind()));
  }
  if (group.size() > kMaxNamedOps) {
    absl::StrAppend(&name, "_and_", group.size() - kMaxNamedOps);
  }
  return name;
}

// The operator whose source name the kernel takes.
const Node* Anchor(const std::vector<Node*>& group) {
  return *std::max_element(group.begin(), group.end(),
                           [](const Node* a, const Node* b) {
                             return OpPattern(a->kind()) < OpPattern(b->kind());
                           });
}

class KernelBuilder {
 public:
  KernelBuilder(Graph& graph, const std::vector<Node*>& group)
      : graph_(graph),
        group_(group),
        body_(std::make_shared<Graph>(KernelName(group))) {}

  absl::Status Build() {
    for (Node* node : group_) ASSAY_RETURN_IF_ERROR(CopyToBody(node));
    Node* last = group_.back();
    for (int i = 0; i < last->num_outputs(); ++i) {
      body_->AddOutput("", inner_.at({last, i}));
    }
    ASSAY_ASSIGN_OR_RETURN(
        Node * kernel, graph_.AddNode(OpKind::kKernel, KernelAttrs{body_},
                                      operands_, Anchor(group_)->name(), last));
    graph_.SetSources(kernel, {});
    for (Node* node : group_) graph_.MergeSources(kernel, node);
    for (int i = 0; i < last->num_outputs(); ++i) {
      graph_.ReplaceAllUses({last, i}, {kernel, i});
    }
    for (auto it = group_.rbegin(); it != group_.rend(); ++it) {
      graph_.Erase(*it);
    }
    return absl::OkStatus();
  }

 private:
  absl::Status CopyToBody(Node* node) {
    std::vector<Value> inputs;
    for (Value input : node->inputs()) {
      ASSAY_ASSIGN_OR_RETURN(Value inner, Inner(input));
      inputs.push_back(inner);
    }
    Node* copy = body_->AddCopy(*node, inputs);
    for (int i = 0; i < node->num_outputs(); ++i) {
      inner_[{node, i}] = {copy, i};
    }
    return absl::OkStatus();
  }

  // The value inside the body that represents `value`.
  absl::StatusOr<Value> Inner(Value value) {
    const auto it = inner_.find(value);
    if (it != inner_.end()) return it->second;
    if (value.node->kind() == OpKind::kConstant &&
        value.type().num_elements() == 1) {
      const auto& constant = value.node->attrs_as<ConstantAttrs>();
      return inner_[value] = {
                 body_->AddConstant(constant.value, value.node->name())};
    }
    ASSAY_ASSIGN_OR_RETURN(
        Node * parameter,
        body_->AddInput(absl::StrCat("p", operands_.size()), value.type()));
    operands_.push_back(value);
    return inner_[value] = {parameter};
  }

  Graph& graph_;
  const std::vector<Node*>& group_;
  std::shared_ptr<Graph> body_;
  absl::flat_hash_map<Value, Value> inner_;
  std::vector<Value> operands_;
};

}  // namespace

absl::StatusOr<bool> FuseOperators::Run(Graph& graph) {
  std::vector<std::vector<Node*>> groups;
  if (options_.enabled) {
    groups = FusionGroups(graph, options_);
  } else {
    for (Node* node : graph.Nodes()) {
      if (IsOperator(*node) && node->kind() != OpKind::kKernel) {
        groups.push_back({node});
      }
    }
  }
  for (const std::vector<Node*>& group : groups) {
    ASSAY_RETURN_IF_ERROR(KernelBuilder(graph, group).Build());
  }
  if (groups.empty()) return false;
  // Single-element constants have moved into bodies.
  for (Node* node : graph.Nodes()) {
    if (node->kind() == OpKind::kConstant && node->users().empty() &&
        !graph.IsOutput(node)) {
      graph.Erase(node);
    }
  }
  return true;
}

}  // namespace assay::graph
