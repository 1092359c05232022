#include "suites/correctness/rounding.h"

#include <algorithm>
#include <memory>

#include "absl/container/flat_hash_set.h"
#include "compiler/graph/reference/rounding_noise.h"

namespace assay::suites {
namespace {

using graph::Node;
using graph::OpKind;
using graph::PatternKind;

// Returns true if compiled code computes the same bits as the interpreter if
// its operands have the same bits. It computes in float32 what has a 16-bit
// float type.
bool IsExact(const Node& node) {
  const bool has_16_bits =
      std::any_of(node.types().begin(), node.types().end(),
                  [](const graph::TensorType& type) {
                    return type.dtype.is_float() && type.dtype.bits() == 16;
                  });
  if (has_16_bits && node.kind() != OpKind::kInput &&
      node.kind() != OpKind::kConstant &&
      graph::OpPattern(node.kind()) != PatternKind::kInjective) {
    return false;
  }
  return graph::IsBitExact(node);
}

// Returns true if a small change of the operand may change the result by a
// whole step.
bool Rounds(const Node& node) {
  switch (node.kind()) {
    case OpKind::kQuantize:
    case OpKind::kFloor:
    case OpKind::kCeil:
    case OpKind::kRound:
      return true;
    case OpKind::kCast:
      return !node.type().dtype.is_float();
    default:
      return false;
  }
}

// Returns true if a small change of the operand may change the result by much.
bool Jumps(const Node& node) {
  switch (node.kind()) {
    case OpKind::kSign:
    case OpKind::kFloorMod:
    case OpKind::kTruncMod:
    case OpKind::kArgMax:
    case OpKind::kArgMin:
    case OpKind::kArgSort:
    case OpKind::kNonMaxSuppression:
    case OpKind::kNonZero:
    case OpKind::kUnique:
      return true;
    default:
      return Rounds(node) || graph::IsComparison(node.kind());
  }
}

bool HasOperandIn(const Node& node,
                  const absl::flat_hash_set<const Node*>& nodes) {
  return std::any_of(node.inputs().begin(), node.inputs().end(),
                     [&](graph::Value x) { return nodes.contains(x.node); });
}

struct Inexact {
  // The nodes whose results depend on rounding, and those that jump.
  absl::flat_hash_set<const Node*> rounded, jumping;
};

Inexact FindInexact(const graph::Graph& graph) {
  Inexact found;
  for (const std::unique_ptr<Node>& node : graph.node_list()) {
    const bool of_rounded = HasOperandIn(*node, found.rounded);
    if (of_rounded || !IsExact(*node)) found.rounded.insert(node.get());
    if (HasOperandIn(*node, found.jumping) || (of_rounded && Jumps(*node))) {
      found.jumping.insert(node.get());
    }
  }
  return found;
}

}  // namespace

Rounding RoundingOf(const graph::Graph& graph) {
  const Inexact inexact = FindInexact(graph);
  bool quantized = false, inexact_rounding = false;
  for (const std::unique_ptr<Node>& node : graph.node_list()) {
    quantized |= node->kind() == OpKind::kQuantize ||
                 node->kind() == OpKind::kDequantize ||
                 node->kind() == OpKind::kRequantize;
    inexact_rounding |= HasOperandIn(*node, inexact.rounded) && Rounds(*node);
  }
  if (!quantized) return Rounding::kNone;
  return inexact_rounding ? Rounding::kInexact : Rounding::kExact;
}

CheckRule InterpreterRule(const Model& model) {
  const Inexact inexact = FindInexact(*model.graph);
  const bool in_steps = RoundingOf(*model.graph) == Rounding::kInexact;
  CheckRule rule;
  for (const graph::Output& output : model.graph->data_outputs()) {
    OutputRule& one = rule.emplace_back();
    one.exact = !inexact.rounded.contains(output.value.node);
    one.jumps = inexact.jumping.contains(output.value.node);
    one.in_steps = in_steps;
  }
  return rule;
}

CheckRule ReferenceRule(const Model& model) {
  CheckRule rule = InterpreterRule(model);
  for (OutputRule& output : rule) {
    output.other_runtime = true;
    output.exact = false;
    output.in_steps =
        model.quantized || RoundingOf(*model.graph) != Rounding::kNone;
  }
  return rule;
}

void LimitByAgreement(const runtime::Artifact& artifact,
                      const std::vector<std::optional<double>>& agreement,
                      CheckRule* rule) {
  const bool only_bits = artifact.metadata.count(runtime::kMetaAlgorithms) > 0;
  for (size_t i = 0; i < rule->size() && i < agreement.size(); ++i) {
    if (!only_bits || agreement[i] == 0) (*rule)[i].agreement = agreement[i];
  }
}

}  // namespace assay::suites
