#include "suites/correctness/rounding.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "compiler/graph/reference/rounding_noise.h"
#include "runtime/base/check.h"

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

// Returns true if the operator compares numbers to order or to select elements.
bool Decides(const Node& node) {
  switch (node.kind()) {
    case OpKind::kArgMax:
    case OpKind::kArgMin:
    case OpKind::kArgSort:
    case OpKind::kNonMaxSuppression:
    case OpKind::kNonZero:
    case OpKind::kUnique:
      return true;
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
      return true;
    default:
      return Decides(node) || Rounds(node) || graph::IsComparison(node.kind());
  }
}

// Returns true if the node computes floats, whose rounding may differ.
bool ComputesFloats(const Node& node) {
  return node.type().dtype.is_float() && node.kind() != OpKind::kInput &&
         node.kind() != OpKind::kConstant &&
         graph::OpPattern(node.kind()) != PatternKind::kInjective;
}

using Nodes = absl::flat_hash_set<const Node*>;

bool HasOperandIn(const Node& node, const Nodes& nodes) {
  return std::any_of(node.inputs().begin(), node.inputs().end(),
                     [&](graph::Value x) { return nodes.contains(x.node); });
}

// Nodes whose results depend on rounding, and those among them whose results a
// small error may change by much.
struct Dependent {
  Nodes rounded, amplified;
};

// `rounds` says whether the results of a node depend on rounding even if its
// operands do not, and `amplifies` whether they amplify an error of an operand.
Dependent FindDependent(const graph::Graph& graph,
                        absl::FunctionRef<bool(const Node&)> rounds,
                        absl::FunctionRef<bool(const Node&)> amplifies) {
  Dependent found;
  for (const std::unique_ptr<Node>& node : graph.node_list()) {
    const bool of_rounded = HasOperandIn(*node, found.rounded);
    if (of_rounded || rounds(*node)) found.rounded.insert(node.get());
    if (HasOperandIn(*node, found.amplified) ||
        (of_rounded && amplifies(*node))) {
      found.amplified.insert(node.get());
    }
  }
  return found;
}

Dependent FindInexact(const graph::Graph& graph) {
  return FindDependent(
      graph, [](const Node& node) { return !IsExact(node); }, Jumps);
}

int FirstLongAxis(const Shape& shape) {
  const auto axis = std::find_if(shape.begin(), shape.end(),
                                 [](int64_t extent) { return extent > 1; });
  return axis == shape.end() ? 0 : static_cast<int>(axis - shape.begin());
}

}  // namespace

Rounding RoundingOf(const graph::Graph& graph) {
  const Dependent inexact = FindInexact(graph);
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
  const Dependent inexact = FindInexact(model.computed());
  const bool in_steps = RoundingOf(model.computed()) == Rounding::kInexact;
  CheckRule rule;
  for (const graph::Output& output : model.computed().data_outputs()) {
    OutputRule& one = rule.emplace_back();
    one.exact = !inexact.rounded.contains(output.value.node);
    one.jumps = inexact.amplified.contains(output.value.node);
    one.in_steps = in_steps;
  }
  return rule;
}

CheckRule ReferenceRule(const Model& model) {
  const bool in_steps =
      model.quantized || RoundingOf(model.computed()) != Rounding::kNone;
  CheckRule rule = InterpreterRule(model);
  for (OutputRule& output : rule) {
    output.other_runtime = true;
    output.exact = false;
    output.in_steps = in_steps;
  }
  return rule;
}

RowAxes FindRowAxes(const graph::Graph& graph) {
  const Dependent found = FindDependent(graph, ComputesFloats, Decides);
  RowAxes axes;
  for (const graph::Output& output : graph.data_outputs()) {
    std::optional<int>& axis = axes.emplace_back();
    if (!found.amplified.contains(output.value.node)) continue;
    axis = output.is_bounded() ? output.axis
                               : FirstLongAxis(output.value.type().shape);
  }
  return axes;
}

void LimitByAgreement(const runtime::Artifact& artifact,
                      const std::vector<std::optional<double>>& agreement,
                      CheckRule* rule) {
  const bool only_bits = artifact.metadata.count(runtime::kMetaAlgorithms) > 0;
  if (agreement.empty()) return;
  // An output that one of the lists lacks would be checked without the limit.
  CHECK_EQ(agreement.size(), rule->size());
  for (size_t i = 0; i < agreement.size(); ++i) {
    if (!only_bits || agreement[i] == 0) (*rule)[i].agreement = agreement[i];
  }
}

}  // namespace assay::suites
