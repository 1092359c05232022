#include "suites/correctness/quantization_check.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/comparators.h"
#include "suites/correctness/rounding.h"
#include "suites/correctness/rounding_sensitivity.h"

namespace assay::suites {
namespace {

using graph::Graph;
using graph::Node;
using runtime::NamedTensors;

// The two graphs. The quantized values are the last outputs of both, and the
// last inputs of `before`.
struct SplitGraphs {
  std::unique_ptr<Graph> before, after;
  // The labels of the nodes that quantize, and the names of the inputs of
  // `before` for their values.
  std::vector<std::string> nodes, inputs;
};

bool QuantizesData(const Node& node) {
  return node.kind() == graph::OpKind::kQuantize &&
         node.input(0).node->kind() != graph::OpKind::kConstant;
}

// Returns a prefix that no input of `graph` has.
std::string UnusedPrefix(const Graph& graph) {
  std::string prefix = "quantized.";
  while (absl::c_any_of(graph.inputs(), [&](const Node* input) {
    return absl::StartsWith(input->name(), prefix);
  })) {
    prefix += '.';
  }
  return prefix;
}

absl::StatusOr<SplitGraphs> Split(const Graph& graph, graph::Pass& rewrite) {
  SplitGraphs split;
  split.after = graph.Clone();
  for (Node* node : split.after->Nodes()) {
    if (!QuantizesData(*node)) continue;
    split.nodes.push_back(node->Label());
    split.after->AddOutput(node->Label(), {node});
  }
  ASSAY_RETURN_IF_ERROR(rewrite.Run(*split.after).status());

  split.before = graph.Clone();
  const std::string prefix = UnusedPrefix(graph);
  for (Node* node : split.before->Nodes()) {
    if (!QuantizesData(*node)) continue;
    split.inputs.push_back(absl::StrCat(prefix, split.inputs.size()));
    ASSAY_ASSIGN_OR_RETURN(
        Node * operand,
        split.before->AddInput(split.inputs.back(), node->type()));
    split.before->ReplaceAllUses({node}, {operand});
    split.before->AddOutput(node->Label(), {node});
  }
  ASSAY_RETURN_IF_ERROR(split.before->SortTopologically());
  return split;
}

// Returns a model that computes `graph`.
Model WithGraph(const Model& model, std::shared_ptr<const Graph> graph) {
  Model other = model;
  other.graph = std::move(graph);
  other.integer_graph = nullptr;
  return other;
}

// Compares the quantized values of one node, and counts their elements.
void Compare(const NDArray& before, const NDArray& after,
             const std::string& node, QuantizationCheck* check) {
  if (before.dtype() != after.dtype() || before.shape() != after.shape()) {
    check->problem =
        absl::StrCat("the integers of ", node, " have another type");
    return;
  }
  int64_t moved = 0, largest = 0;
  for (int64_t i = 0; i < before.num_elements(); ++i) {
    const int64_t steps = std::abs(LoadInt(before, i) - LoadInt(after, i));
    if (steps != 0) ++moved;
    largest = std::max(largest, steps);
  }
  ++check->tensors;
  check->elements += before.num_elements();
  check->moved += moved;
  const auto most = std::max<int64_t>(
      1, static_cast<int64_t>(kMaxMovedShare *
                              static_cast<double>(before.num_elements())));
  if (largest > 1 || moved > most) {
    check->problem = absl::StrFormat(
        "%d of %d integers of %s differ from the floats that they stand for, "
        "by up to %d steps",
        moved, before.num_elements(), node, largest);
  }
}

// Returns integers of more than 8 bits as floats. Before the pass, they are
// sums of floats, which are rounded.
NamedTensors WithFloats(NamedTensors tensors) {
  for (runtime::NamedTensor& tensor : tensors) {
    const NDArray& x = tensor.value;
    if (x.dtype().is_float() || x.dtype().bits() <= 8) continue;
    NDArray floats(DType::Float32(), x.shape());
    for (int64_t i = 0; i < x.num_elements(); ++i) {
      StoreFloat(floats, i, static_cast<double>(LoadInt(x, i)));
    }
    tensor.value = std::move(floats);
  }
  return tensors;
}

}  // namespace

absl::StatusOr<QuantizationCheck> CheckQuantization(const Model& model,
                                                    const NamedTensors& inputs,
                                                    const NamedTensors& answer,
                                                    graph::Pass& rewrite,
                                                    Oracle& oracle) {
  if (model.graph->data_outputs().size() != model.graph->outputs().size()) {
    return absl::UnimplementedError(
        "integers are not compared with floats in models whose outputs have "
        "an extent that is known only when they run");
  }
  ASSAY_ASSIGN_OR_RETURN(SplitGraphs split, Split(*model.graph, rewrite));
  const Model after = WithGraph(model, std::move(split.after));
  const Model before = WithGraph(model, std::move(split.before));
  ASSAY_ASSIGN_OR_RETURN(NamedTensors results, oracle.Reference(after, inputs));
  const size_t num_outputs = answer.size();
  NamedTensors operands = inputs;
  for (size_t i = 0; i < split.nodes.size(); ++i) {
    operands.push_back({split.inputs[i], results[num_outputs + i].value});
  }
  ASSAY_ASSIGN_OR_RETURN(NamedTensors floats,
                         oracle.Reference(before, operands));
  QuantizationCheck check;
  for (size_t i = num_outputs; i < results.size(); ++i) {
    Compare(floats[i].value, results[i].value, split.nodes[i - num_outputs],
            &check);
    if (!check.problem.empty()) return check;
  }
  results.resize(num_outputs);
  floats.resize(num_outputs);
  if (!SameBits(results, answer)) {
    check.problem = "the integers depend on which values are outputs";
    return check;
  }
  RoundingSensitivity sensitivity(
      *model.graph, [&](uint64_t seed) -> absl::StatusOr<NamedTensors> {
        ASSAY_ASSIGN_OR_RETURN(NamedTensors noisy,
                               oracle.Outputs(before, operands, seed));
        noisy.resize(num_outputs);
        return WithFloats(std::move(noisy));
      });
  // Operators after the last quantized values compute floats.
  CheckRule rule = ReferenceRule(model);
  for (OutputRule& output : rule) output.in_steps = false;
  ASSAY_ASSIGN_OR_RETURN(
      const Accuracy accuracy,
      AcceptOutputs({WithFloats(std::move(floats)), WithFloats(answer), rule,
                     &sensitivity}));
  check.problem = accuracy.problem;
  return check;
}

}  // namespace assay::suites
