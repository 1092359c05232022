#include "suites/correctness/rounding.h"

#include <algorithm>
#include <memory>

#include "absl/container/flat_hash_set.h"

namespace assay::suites {
namespace {

using graph::Node;
using graph::OpKind;
using graph::PatternKind;

bool HasConstant(const Node& node) {
  return std::any_of(
      node.inputs().begin(), node.inputs().end(),
      [](graph::Value x) { return x.node->kind() == OpKind::kConstant; });
}

// Returns true if compiled code computes the same bits of a float result as the
// interpreter, given the same operands. Divisions by constants become
// multiplications, additions of constants are joined, and a multiplication may
// be contracted with an addition or joined with another multiplication.
bool IsExact(const Node& node) {
  switch (node.kind()) {
    case OpKind::kAdd:
    case OpKind::kSubtract:
      return !HasConstant(node);
    case OpKind::kMultiply:
      return std::none_of(node.users().begin(), node.users().end(),
                          [](const graph::Use& use) {
                            return use.user->kind() == OpKind::kAdd ||
                                   use.user->kind() == OpKind::kSubtract ||
                                   use.user->kind() == OpKind::kMultiply;
                          });
    case OpKind::kInput:
    case OpKind::kConstant:
    case OpKind::kRelu:
    case OpKind::kNegate:
    case OpKind::kAbs:
    case OpKind::kSign:
    case OpKind::kFloor:
    case OpKind::kCeil:
    case OpKind::kRound:
    case OpKind::kClip:
    case OpKind::kMaximum:
    case OpKind::kMinimum:
    case OpKind::kSelect:
    case OpKind::kCast:
    case OpKind::kBroadcastTo:
    case OpKind::kMaxPool2d:
    case OpKind::kGlobalMaxPool2d:
    case OpKind::kReduceMax:
    case OpKind::kReduceMin:
    case OpKind::kScatterElements:
    case OpKind::kScatterNd:
    case OpKind::kDequantize:
      return true;
    default:
      return graph::OpPattern(node.kind()) == PatternKind::kInjective;
  }
}

// Returns true if a small change of the operand may change the result by a
// whole step.
bool Rounds(const Node& node) {
  return node.kind() == OpKind::kQuantize || node.kind() == OpKind::kFloor ||
         node.kind() == OpKind::kCeil || node.kind() == OpKind::kRound ||
         (node.kind() == OpKind::kCast && !node.type().dtype.is_float());
}

}  // namespace

Rounding RoundingOf(const graph::Graph& graph) {
  absl::flat_hash_set<const Node*> inexact;
  bool quantized = false, inexact_rounding = false;
  for (const std::unique_ptr<Node>& node : graph.node_list()) {
    quantized |= node->kind() == OpKind::kQuantize ||
                 node->kind() == OpKind::kDequantize ||
                 node->kind() == OpKind::kRequantize;
    const bool of_inexact =
        std::any_of(node->inputs().begin(), node->inputs().end(),
                    [&](graph::Value x) { return inexact.contains(x.node); });
    inexact_rounding |= of_inexact && Rounds(*node);
    if (of_inexact || (node->type().dtype.is_float() && !IsExact(*node))) {
      inexact.insert(node.get());
    }
  }
  if (!quantized) return Rounding::kNone;
  return inexact_rounding ? Rounding::kInexact : Rounding::kExact;
}

CheckRule InterpreterRule(const Model& model) {
  return {model.detections, RoundingOf(*model.graph) == Rounding::kInexact};
}

CheckRule ReferenceRule(const Model& model) {
  return {model.detections,
          model.quantized || RoundingOf(*model.graph) != Rounding::kNone};
}

}  // namespace assay::suites
