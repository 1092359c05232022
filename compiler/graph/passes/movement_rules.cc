#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/graph/passes/algebra_rules.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// The operand of `node` if it is of the same kind and has no other user; else
// null.
Node* Before(const Graph& graph, const Node* node) {
  Node* inner = node->input(0).node;
  return inner->kind() == node->kind() && HasOneUse(graph, inner) ? inner
                                                                  : nullptr;
}

absl::StatusOr<Value> Reshape(Graph& graph, Node* node) {
  const Value x = node->input(0);
  if (x.type() == node->type()) return x;
  const bool same_order =
      x.node->kind() == OpKind::kEncode && x.node->input(0).type().IsRowMajor();
  if (x.node->kind() != OpKind::kReshape && !same_order) return Value{};
  const Value first = x.node->input(0);
  if (first.type() == node->type()) return first;
  return Insert(graph, OpKind::kReshape, node->attrs(), {first}, node);
}

// Returns true if axes with an extent above 1 keep their order.
bool MovesNothing(const std::vector<int64_t>& perm, const Shape& shape) {
  int64_t last = -1;
  for (const int64_t axis : perm) {
    if (shape[axis] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

absl::StatusOr<Value> Transpose(Graph& graph, Node* node) {
  std::vector<int64_t> perm = node->attrs_as<TransposeAttrs>().perm;
  const Value x = node->input(0);
  if (std::is_sorted(perm.begin(), perm.end())) return x;
  if (MovesNothing(perm, x.type().shape)) {
    return Insert(graph, OpKind::kReshape, ReshapeAttrs{node->type().shape},
                  {x}, node);
  }
  if (x.node->kind() != OpKind::kTranspose) return Value{};
  const auto& first = x.node->attrs_as<TransposeAttrs>().perm;
  for (int64_t& axis : perm) axis = first[axis];
  if (std::is_sorted(perm.begin(), perm.end())) return x.node->input(0);
  return Insert(graph, OpKind::kTranspose, TransposeAttrs{perm},
                {x.node->input(0)}, node);
}

// Replaces a slice of one operand of a concat by a slice of that operand.
absl::StatusOr<Value> SliceOfConcat(Graph& graph, Node* node) {
  const Node* concat = node->input(0).node;
  if (concat->kind() != OpKind::kConcat) return Value{};
  SliceAttrs attrs = node->attrs_as<SliceAttrs>();
  const auto axis = static_cast<size_t>(concat->attrs_as<ConcatAttrs>().axis);
  const int64_t size = attrs.sizes[axis];
  if (size == 0) return Value{};
  const int64_t first = attrs.begins[axis];
  const int64_t last = first + (size - 1) * attrs.steps[axis];
  int64_t begin = 0;
  for (const Value operand : concat->inputs()) {
    const int64_t end = begin + operand.type().shape[axis];
    if (std::min(first, last) >= begin && std::max(first, last) < end) {
      attrs.begins[axis] -= begin;
      return Insert(graph, OpKind::kSlice, attrs, {operand}, node);
    }
    begin = end;
  }
  return Value{};
}

absl::StatusOr<Value> Slice(Graph& graph, Node* node) {
  const Value x = node->input(0);
  SliceAttrs attrs = node->attrs_as<SliceAttrs>();
  if (node->type().num_elements() == 0) return Value{};
  if (x.type() == node->type()) {
    // All indices of each axis, in order or reversed.
    for (size_t d = 0; d < attrs.steps.size(); ++d) {
      if (attrs.steps[d] < 0 && attrs.sizes[d] > 1) return Value{};
    }
    return x;
  }
  const Node* inner = Before(graph, node);
  if (inner == nullptr) return SliceOfConcat(graph, node);
  const auto& first = inner->attrs_as<SliceAttrs>();
  for (size_t d = 0; d < attrs.begins.size(); ++d) {
    attrs.begins[d] = first.begins[d] + attrs.begins[d] * first.steps[d];
    attrs.steps[d] = attrs.sizes[d] == 1 ? 1 : attrs.steps[d] * first.steps[d];
  }
  return Insert(graph, OpKind::kSlice, attrs, {inner->input(0)}, node);
}

absl::StatusOr<Value> Pad(Graph& graph, Node* node) {
  if (node->input(0).type() == node->type()) return node->input(0);
  const Node* inner = Before(graph, node);
  PadAttrs attrs = node->attrs_as<PadAttrs>();
  if (inner == nullptr || inner->attrs_as<PadAttrs>().value != attrs.value) {
    return Value{};
  }
  const auto& first = inner->attrs_as<PadAttrs>();
  for (size_t d = 0; d < attrs.before.size(); ++d) {
    attrs.before[d] += first.before[d];
    attrs.after[d] += first.after[d];
  }
  return Insert(graph, OpKind::kPad, attrs, {inner->input(0)}, node);
}

// The slice that covers `a` and, after it along `axis`, `b`; nullopt if they
// are not adjacent.
std::optional<SliceAttrs> Joined(Value a, Value b, size_t axis) {
  if (a.node->kind() != OpKind::kSlice || b.node->kind() != OpKind::kSlice ||
      a.node->input(0) != b.node->input(0)) {
    return std::nullopt;
  }
  SliceAttrs joined = a.node->attrs_as<SliceAttrs>();
  SliceAttrs next = b.node->attrs_as<SliceAttrs>();
  if (joined.steps[axis] != 1 || next.steps[axis] != 1 ||
      next.begins[axis] != joined.begins[axis] + joined.sizes[axis]) {
    return std::nullopt;
  }
  joined.sizes[axis] += next.sizes[axis];
  next.begins[axis] = joined.begins[axis];
  next.sizes[axis] = joined.sizes[axis];
  if (next.begins != joined.begins || next.steps != joined.steps ||
      next.sizes != joined.sizes) {
    return std::nullopt;
  }
  return joined;
}

// Replaces operands that are concats by their operands, and adjacent slices by
// one slice.
absl::StatusOr<Value> Concat(Graph& graph, Node* node) {
  if (node->num_inputs() == 1) return node->input(0);
  const auto axis = static_cast<size_t>(node->attrs_as<ConcatAttrs>().axis);
  std::vector<Value> operands;
  bool changed = false;
  for (const Value operand : node->inputs()) {
    if (operand.type().num_elements() == 0) {
      changed = true;
    } else if (operand.node->kind() == OpKind::kConcat &&
               HasOneUse(graph, operand.node) &&
               AttrsEqual(operand.node->attrs(), node->attrs())) {
      operands.insert(operands.end(), operand.node->inputs().begin(),
                      operand.node->inputs().end());
      changed = true;
    } else if (const auto joined =
                   operands.empty() ? std::nullopt
                                    : Joined(operands.back(), operand, axis)) {
      Node* last = operands.back().node;
      ASSAY_ASSIGN_OR_RETURN(operands.back(),
                             Insert(graph, OpKind::kSlice, *joined,
                                    {operand.node->input(0)}, node));
      // The previous operand is a slice that this loop has merged.
      if (last->users().empty() && !graph.IsOutput(last)) graph.Erase(last);
      changed = true;
    } else {
      operands.push_back(operand);
    }
  }
  if (!changed || operands.empty()) return Value{};
  if (operands.size() == 1) return operands[0];
  return Insert(graph, OpKind::kConcat, node->attrs(), operands, node);
}

absl::StatusOr<Value> Encode(Graph& graph, Node* node) {
  const Value x = node->input(0);
  if (x.type() == node->type()) return x;
  if (x.node->kind() != OpKind::kEncode) return Value{};
  const Value first = x.node->input(0);
  if (first.type() == node->type()) return first;
  return InsertEncode(graph, first, node->type().encoding, node);
}

}  // namespace

absl::StatusOr<Value> SimplifyMovement(Graph& graph, Node* node) {
  switch (node->kind()) {
    case OpKind::kReshape:
      return Reshape(graph, node);
    case OpKind::kTranspose:
      return Transpose(graph, node);
    case OpKind::kSlice:
      return Slice(graph, node);
    case OpKind::kPad:
      return Pad(graph, node);
    case OpKind::kConcat:
      return Concat(graph, node);
    case OpKind::kEncode:
      return Encode(graph, node);
    default:
      return Value{};
  }
}

}  // namespace assay::graph
