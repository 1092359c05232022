#include "compiler/graph/passes/combine_parallel.h"

#include <algorithm>
#include <optional>

#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

bool IsCombinable(const Node* node, OpKind kind) {
  if (node->kind() != kind) return false;
  if (kind == OpKind::kConv2d) {
    const auto& attrs = node->attrs_as<Conv2dAttrs>();
    if (attrs.groups != 1) return false;
  }
  const NDArray* weights = ConstantOf(node->input(1));
  return weights != nullptr && weights->dtype() == DType::Float32();
}

// Returns true if the operators differ only in the number of filters.
bool Agree(const Node* a, const Node* b) {
  const Shape &v = a->input(1).type().shape, &w = b->input(1).type().shape;
  return a->input(0) == b->input(0) && AttrsEqual(a->attrs(), b->attrs()) &&
         v.size() == w.size() &&
         std::equal(v.begin() + 1, v.end(), w.begin() + 1);
}

// The constant per channel that an addition or multiplication combines `data`
// with; nullopt for other operators.
std::optional<std::vector<double>> Constants(const Node* node, Value data) {
  if (node->kind() != OpKind::kAdd && node->kind() != OpKind::kMultiply) {
    return std::nullopt;
  }
  const int i = node->input(0) == data ? 1 : 0;
  if (data.type() != node->type()) return std::nullopt;
  return PerChannelValues(node->input(i), node->type());
}

// The only user of `node` if it can be merged with others of its kind; else
// null.
Node* Next(const Graph& graph, const Node* node) {
  if (!HasOneUse(graph, node)) return nullptr;
  Node* user = node->users()[0].user;
  const bool unary = IsUnary(user->kind());
  return unary || Constants(user, {const_cast<Node*>(node)}).has_value()
             ? user
             : nullptr;
}

class Combiner {
 public:
  // `branches` are operators that can be merged, in graph order.
  Combiner(Graph& graph, std::vector<Node*> branches)
      : graph_(graph), ends_(std::move(branches)), first_(ends_.front()) {}

  absl::Status Combine() {
    Node* combined = nullptr;
    ASSAY_ASSIGN_OR_RETURN(combined, CombineAnchors());
    while (FindNext()) {
      ASSAY_ASSIGN_OR_RETURN(combined, CombineNext(combined));
    }
    return Split(combined);
  }

 private:
  // The merged operator takes the place of the first one.
  absl::StatusOr<Node*> CombineAnchors() {
    std::vector<Value> weights;
    for (const Node* branch : ends_) {
      weights.push_back(branch->input(1));
      filters_.push_back(branch->type().shape[1]);
    }
    ASSAY_ASSIGN_OR_RETURN(
        const Value joined,
        InsertFolded(graph_, OpKind::kConcat, ConcatAttrs{0}, weights, first_));
    return Add(first_->kind(), first_->attrs(), {first_->input(0), joined});
  }

  // Finds the next operator of every branch; returns false if they differ.
  bool FindNext() {
    next_.clear();
    for (const Node* end : ends_) {
      Node* next = Next(graph_, end);
      if (next == nullptr) return false;
      if (!next_.empty() && (next->kind() != next_[0]->kind() ||
                             !AttrsEqual(next->attrs(), next_[0]->attrs()))) {
        return false;
      }
      next_.push_back(next);
    }
    return true;
  }

  absl::StatusOr<Node*> CombineNext(Node* combined) {
    std::vector<Value> operands = {{combined}};
    if (!IsUnary(next_[0]->kind())) {
      std::vector<double> values;
      for (size_t i = 0; i < next_.size(); ++i) {
        const auto part = *Constants(next_[i], {ends_[i]});
        values.insert(values.end(), part.begin(), part.end());
      }
      operands.push_back({PerChannelConstant(graph_, values,
                                             next_[0]->type().rank(), first_)});
    }
    ends_ = next_;
    return Add(ends_[0]->kind(), ends_[0]->attrs(), operands);
  }

  // Adds an operator that replaces the last one of each branch.
  absl::StatusOr<Node*> Add(OpKind kind, Attrs attrs,
                            const std::vector<Value>& operands) {
    ASSAY_ASSIGN_OR_RETURN(Node * node,
                           graph_.AddNode(kind, std::move(attrs), operands,
                                          ends_[0]->name(), first_));
    for (const Node* end : ends_) graph_.MergeSources(node, end);
    return node;
  }

  absl::Status Split(Node* combined) {
    int64_t begin = 0;
    std::vector<Value> parts(ends_.size());
    for (size_t i = 0; i < ends_.size(); ++i) {
      SliceAttrs slice;
      slice.sizes = ends_[i]->type().shape;
      slice.begins.assign(slice.sizes.size(), 0);
      slice.steps.assign(slice.sizes.size(), 1);
      slice.begins[1] = begin;
      begin += filters_[i];
      ASSAY_ASSIGN_OR_RETURN(parts[i], Insert(graph_, OpKind::kSlice, slice,
                                              {{combined}}, first_));
    }
    for (size_t i = 0; i < ends_.size(); ++i) {
      Replace(graph_, ends_[i], parts[i]);
    }
    return absl::OkStatus();
  }

  Graph& graph_;
  // The last merged operator of each branch, and its successor.
  std::vector<Node*> ends_;
  std::vector<Node*> next_;
  std::vector<int64_t> filters_;
  Node* first_;
};

// The operators of `order` that can be merged with `node`.
std::vector<Node*> Parallel(const std::vector<Node*>& order, const Node* node,
                            OpKind kind) {
  std::vector<Node*> branches;
  for (Node* other : order) {
    if (IsCombinable(other, kind) && Agree(other, node)) {
      branches.push_back(other);
    }
  }
  return branches;
}

absl::StatusOr<bool> CombineAll(Graph& graph, OpKind kind,
                                const TargetCosts& costs) {
  bool changed = false, again = true;
  // Merging erases nodes that the walk has not visited, so it starts again.
  while (again) {
    again = false;
    const std::vector<Node*> order = graph.Nodes();
    for (const Node* node : order) {
      if (!IsCombinable(node, kind)) continue;
      const std::vector<Node*> branches = Parallel(order, node, kind);
      if (branches.size() < 2 || branches[0] != node) continue;
      std::vector<TensorType> weights;
      for (const Node* branch : branches) {
        weights.push_back(branch->input(1).type());
      }
      if (!costs.Combines(kind, node->attrs(), node->input(0).type(),
                          weights)) {
        continue;
      }
      ASSAY_RETURN_IF_ERROR(Combiner(graph, branches).Combine());
      changed = again = true;
      break;
    }
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> CombineParallelConv2d::Run(Graph& graph) {
  return CombineAll(graph, OpKind::kConv2d, costs_);
}

absl::StatusOr<bool> CombineParallelDense::Run(Graph& graph) {
  return CombineAll(graph, OpKind::kDense, costs_);
}

}  // namespace assay::graph
