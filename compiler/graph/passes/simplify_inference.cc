#include "compiler/graph/passes/simplify_inference.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/passes/rewrite.h"
#include "compiler/graph/passes/scaled_weights.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// y = x * scale + shift, one pair per channel.
struct Affine {
  std::vector<double> scale;
  std::vector<double> shift;
};

absl::StatusOr<Affine> AffineOf(const Node& batch_norm) {
  static constexpr const char* kParameters[] = {"scale", "bias", "mean",
                                                "variance"};
  absl::Span<const float> parameters[4];
  for (int i = 0; i < 4; ++i) {
    const Node* source = batch_norm.input(i + 1).node;
    if (source->kind() != OpKind::kConstant) {
      return absl::UnimplementedError(absl::StrCat(
          "node ", batch_norm.Label(), ": ", kParameters[i],
          " is not a constant, so the operator cannot be simplified"));
    }
    const NDArray& value = source->attrs_as<ConstantAttrs>().value;
    parameters[i] = value.data<float>();
  }
  const double epsilon = batch_norm.attrs_as<BatchNormAttrs>().epsilon;
  Affine affine;
  for (size_t c = 0; c < parameters[0].size(); ++c) {
    const double scale =
        parameters[0][c] / std::sqrt(parameters[3][c] + epsilon);
    affine.scale.push_back(scale);
    affine.shift.push_back(parameters[1][c] - parameters[2][c] * scale);
  }
  return affine;
}

// A plain convolution with constant weights.
bool IsFoldableConv(const Node* node) {
  return node->kind() == OpKind::kConv2d &&
         node->input(1).type().dtype == DType::Float32() &&
         node->input(1).node->kind() == OpKind::kConstant;
}

// A convolution before a batch_norm that can absorb it.
struct ConvChain {
  Node* conv = nullptr;
  Node* bias_add = nullptr;  // null without a bias
  absl::Span<const float> bias;
};

std::optional<ConvChain> MatchChain(const Graph& graph, Node* node) {
  ConvChain chain;
  if (!HasOneUse(graph, node)) return std::nullopt;
  if (node->kind() == OpKind::kAdd) {
    for (int i = 0; i < 2; ++i) {
      Node* conv = node->input(i).node;
      const Node* other = node->input(1 - i).node;
      if (!IsFoldableConv(conv) || other->kind() != OpKind::kConstant) {
        continue;
      }
      const int64_t channels = conv->type().shape[1];
      const Shape& shape = other->type().shape;
      if (shape != Shape{channels, 1, 1} && shape != Shape{1, channels, 1, 1}) {
        continue;
      }
      chain.bias_add = node;
      const NDArray& bias = other->attrs_as<ConstantAttrs>().value;
      chain.bias = bias.data<float>();
      node = conv;
      break;
    }
  }
  if (!IsFoldableConv(node) || !HasOneUse(graph, node)) return std::nullopt;
  chain.conv = node;
  return chain;
}

// Returns null if the folded constants would not be finite.
absl::StatusOr<Node*> FoldIntoConv(Graph& graph, const ConvChain& chain,
                                   Affine affine, Node* batch_norm) {
  const Node* conv = chain.conv;
  const Node* old = conv->input(1).node;
  std::optional<NDArray> scaled_values = ScaledWeights(
      *ConstantOf({conv->input(1)}),
      [&](int64_t filter, int64_t) { return affine.scale[filter]; });
  for (size_t c = 0; c < chain.bias.size(); ++c) {
    affine.shift[c] += chain.bias[c] * affine.scale[c];
  }
  if (!scaled_values.has_value() || !AreFinite(affine.shift)) return nullptr;
  Node* weights =
      graph.AddConstant(*std::move(scaled_values), old->name(), batch_norm);
  graph.MergeSources(weights, old);
  ASSAY_ASSIGN_OR_RETURN(
      Node * scaled,
      graph.AddNode(OpKind::kConv2d, conv->attrs(), {conv->input(0), {weights}},
                    conv->name(), batch_norm));
  graph.MergeSources(scaled, conv);
  graph.MergeSources(scaled, batch_norm);
  Node* shift = PerChannelConstant(graph, affine.shift, scaled->type().rank(),
                                   batch_norm);
  ASSAY_ASSIGN_OR_RETURN(
      Node * sum, graph.AddNode(OpKind::kAdd, NoAttrs(), {{scaled}, {shift}},
                                batch_norm->name(), batch_norm));
  if (chain.bias_add != nullptr) graph.MergeSources(sum, chain.bias_add);
  return sum;
}

absl::StatusOr<Node*> MultiplyAndAdd(Graph& graph, const Affine& affine,
                                     Node* batch_norm) {
  const Value x = batch_norm->input(0);
  const int rank = x.type().rank();
  Node* scale = PerChannelConstant(graph, affine.scale, rank, batch_norm);
  ASSAY_ASSIGN_OR_RETURN(
      Node * product, graph.AddNode(OpKind::kMultiply, NoAttrs(), {x, {scale}},
                                    batch_norm->name(), batch_norm));
  Node* shift = PerChannelConstant(graph, affine.shift, rank, batch_norm);
  return graph.AddNode(OpKind::kAdd, NoAttrs(), {{product}, {shift}},
                       batch_norm->name(), batch_norm);
}

// (x - mean) / sqrt(variance + epsilon) * scale + bias, for parameters with
// which x * scale + shift is not defined.
absl::StatusOr<Node*> EachStep(Graph& graph, Node* batch_norm) {
  const auto parameter = [&](int i) {
    const auto data = ConstantOf(batch_norm->input(i))->data<float>();
    return std::vector<double>(data.begin(), data.end());
  };
  std::vector<double> deviation = parameter(4);
  for (double& v : deviation) {
    v = std::sqrt(v + batch_norm->attrs_as<BatchNormAttrs>().epsilon);
  }
  const std::pair<OpKind, std::vector<double>> steps[] = {
      {OpKind::kSubtract, parameter(3)},
      {OpKind::kDivide, deviation},
      {OpKind::kMultiply, parameter(1)},
      {OpKind::kAdd, parameter(2)}};
  Value x = batch_norm->input(0);
  for (const auto& [kind, values] : steps) {
    Node* constant =
        PerChannelConstant(graph, values, x.type().rank(), batch_norm);
    ASSAY_ASSIGN_OR_RETURN(Node * step,
                           graph.AddNode(kind, NoAttrs(), {x, {constant}},
                                         batch_norm->name(), batch_norm));
    x = {step};
  }
  return x.node;
}

absl::StatusOr<Node*> Simplified(Graph& graph, Node* batch_norm) {
  ASSAY_ASSIGN_OR_RETURN(const Affine affine, AffineOf(*batch_norm));
  if (!AreFinite(affine.scale) || !AreFinite(affine.shift)) {
    return EachStep(graph, batch_norm);
  }
  const std::optional<ConvChain> chain =
      MatchChain(graph, batch_norm->input(0).node);
  if (chain.has_value()) {
    ASSAY_ASSIGN_OR_RETURN(Node * folded,
                           FoldIntoConv(graph, *chain, affine, batch_norm));
    if (folded != nullptr) return folded;
  }
  return MultiplyAndAdd(graph, affine, batch_norm);
}

}  // namespace

absl::StatusOr<bool> SimplifyInference::Run(Graph& graph) {
  bool changed = false;
  for (Node* node : graph.Nodes()) {
    if (node->kind() != OpKind::kBatchNorm) continue;
    ASSAY_ASSIGN_OR_RETURN(Node * result, Simplified(graph, node));
    graph.MergeSources(result, node);
    graph.ReplaceAllUses({node}, {result});
    // Only nodes that have been visited are erased: the batch_norm, its
    // parameters and the old convolution.
    EraseIfDead(graph, node);
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
