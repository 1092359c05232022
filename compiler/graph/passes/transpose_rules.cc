#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/graph/passes/algebra_rules.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

using Perm = std::vector<int64_t>;

// The permutation of the transpose that computes `value`; empty if there is
// none or it has other users.
Perm PermOf(const Graph& graph, Value value) {
  if (value.node->kind() != OpKind::kTranspose ||
      !HasOneUse(graph, value.node)) {
    return {};
  }
  return value.node->attrs_as<TransposeAttrs>().perm;
}

// Converts values per axis of the transposed value to values per axis of its
// operand.
std::vector<int64_t> Unpermuted(const std::vector<int64_t>& values,
                                const Perm& perm) {
  std::vector<int64_t> result(values.size());
  for (size_t d = 0; d < values.size(); ++d) result[perm[d]] = values[d];
  return result;
}

absl::StatusOr<Value> Transposed(Graph& graph, Value value, const Perm& perm,
                                 Node* before) {
  return Insert(graph, OpKind::kTranspose, TransposeAttrs{perm}, {value},
                before);
}

// Replaces operator(transpose(x)) by transpose(operator(x)); `attrs` are those
// for x.
absl::StatusOr<Value> Sunk(Graph& graph, Node* node, Attrs attrs,
                           const Perm& perm) {
  ASSAY_ASSIGN_OR_RETURN(const Value inner,
                         Insert(graph, node->kind(), std::move(attrs),
                                {node->input(0).node->input(0)}, node));
  graph.MergeSources(inner.node, node);
  return Transposed(graph, inner, perm, node);
}

// A constant operand, transposed to match the operand before its transpose.
absl::StatusOr<Value> UntransposedConstant(Graph& graph, Value constant,
                                           const Perm& perm, Node* before) {
  if (constant.type().num_elements() == 1) return constant;
  Shape shape(perm.size() - constant.type().shape.size(), 1);
  shape.insert(shape.end(), constant.type().shape.begin(),
               constant.type().shape.end());
  ASSAY_ASSIGN_OR_RETURN(const Value full,
                         InsertFolded(graph, OpKind::kReshape,
                                      ReshapeAttrs{shape}, {constant}, before));
  Perm inverse(perm.size());
  for (size_t d = 0; d < perm.size(); ++d) inverse[perm[d]] = d;
  ASSAY_ASSIGN_OR_RETURN(const Value turned,
                         InsertFolded(graph, OpKind::kTranspose,
                                      TransposeAttrs{inverse}, {full}, before));
  graph.Erase(full.node);
  return turned;
}

absl::StatusOr<Value> SinkBelowBinary(Graph& graph, Node* node) {
  Perm perm;
  for (const Value operand : node->inputs()) {
    if (perm.empty() && operand.type().shape == node->type().shape) {
      perm = PermOf(graph, operand);
    }
  }
  if (perm.empty()) return Value{};
  for (const Value operand : node->inputs()) {
    const bool follows = operand.type().shape == node->type().shape &&
                         PermOf(graph, operand) == perm;
    const bool constant = ConstantOf(operand) != nullptr &&
                          operand.type().shape.size() <= perm.size();
    if (!follows && !constant) return Value{};
  }
  std::vector<Value> operands;
  for (const Value operand : node->inputs()) {
    if (operand.node->kind() == OpKind::kTranspose) {
      operands.push_back(operand.node->input(0));
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(Value constant,
                           UntransposedConstant(graph, operand, perm, node));
    operands.push_back(constant);
  }
  ASSAY_ASSIGN_OR_RETURN(
      const Value inner,
      Insert(graph, node->kind(), node->attrs(), operands, node));
  graph.MergeSources(inner.node, node);
  return Transposed(graph, inner, perm, node);
}

absl::StatusOr<Value> SinkBelowConcat(Graph& graph, Node* node) {
  const Perm perm = PermOf(graph, node->input(0));
  if (perm.empty()) return Value{};
  std::vector<Value> operands;
  for (const Value operand : node->inputs()) {
    if (PermOf(graph, operand) != perm) return Value{};
    operands.push_back(operand.node->input(0));
  }
  const int64_t axis = perm[node->attrs_as<ConcatAttrs>().axis];
  ASSAY_ASSIGN_OR_RETURN(
      const Value inner,
      Insert(graph, OpKind::kConcat, ConcatAttrs{axis}, operands, node));
  graph.MergeSources(inner.node, node);
  return Transposed(graph, inner, perm, node);
}

// The permutation of the axes that a reduction keeps; empty if they are in
// order.
absl::StatusOr<Value> SinkBelowReduce(Graph& graph, Node* node,
                                      const Perm& perm) {
  ReduceAttrs attrs = node->attrs_as<ReduceAttrs>();
  for (int64_t& axis : attrs.axes) axis = perm[axis];
  std::sort(attrs.axes.begin(), attrs.axes.end());
  if (attrs.keepdims) return Sunk(graph, node, attrs, perm);
  ASSAY_ASSIGN_OR_RETURN(const Value inner,
                         Insert(graph, node->kind(), attrs,
                                {node->input(0).node->input(0)}, node));
  Perm left;
  for (const int64_t axis : perm) {
    const auto below =
        std::lower_bound(attrs.axes.begin(), attrs.axes.end(), axis);
    if (below != attrs.axes.end() && *below == axis) continue;
    left.push_back(axis - (below - attrs.axes.begin()));
  }
  if (std::is_sorted(left.begin(), left.end())) return inner;
  graph.MergeSources(inner.node, node);
  return Transposed(graph, inner, left, node);
}

}  // namespace

absl::StatusOr<Value> SinkTranspose(Graph& graph, Node* node) {
  if (IsBinary(node->kind())) return SinkBelowBinary(graph, node);
  if (node->kind() == OpKind::kConcat) return SinkBelowConcat(graph, node);
  const Perm perm = PermOf(graph, node->input(0));
  if (perm.empty()) return Value{};
  if (IsUnary(node->kind()) || node->kind() == OpKind::kCast) {
    return Sunk(graph, node, node->attrs(), perm);
  }
  if (IsReduce(node->kind())) return SinkBelowReduce(graph, node, perm);
  switch (node->kind()) {
    case OpKind::kSlice: {
      SliceAttrs attrs = node->attrs_as<SliceAttrs>();
      attrs.begins = Unpermuted(attrs.begins, perm);
      attrs.steps = Unpermuted(attrs.steps, perm);
      attrs.sizes = Unpermuted(attrs.sizes, perm);
      return Sunk(graph, node, attrs, perm);
    }
    case OpKind::kPad: {
      PadAttrs attrs = node->attrs_as<PadAttrs>();
      attrs.before = Unpermuted(attrs.before, perm);
      attrs.after = Unpermuted(attrs.after, perm);
      return Sunk(graph, node, attrs, perm);
    }
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax: {
      SoftmaxAttrs attrs = node->attrs_as<SoftmaxAttrs>();
      attrs.axis = perm[attrs.axis];
      return Sunk(graph, node, attrs, perm);
    }
    default:
      return Value{};
  }
}

}  // namespace assay::graph
