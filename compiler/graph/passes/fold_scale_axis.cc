#include "compiler/graph/passes/fold_scale_axis.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

using Channels = std::vector<double>;

// Returns true for a plain conv2d or a dense product with constant float32
// weights [filters, channels of a group, …].
bool IsAnchor(const Node* node) {
  const bool conv = node->kind() == OpKind::kConv2d &&
                    node->attrs_as<Conv2dAttrs>().in_block == 0;
  if (!conv && node->kind() != OpKind::kDense) return false;
  const NDArray* weights = ConstantOf(node->input(1));
  return weights != nullptr && weights->dtype() == DType::Float32();
}

int64_t GroupsOf(const Node* anchor) {
  return anchor->kind() == OpKind::kConv2d
             ? anchor->attrs_as<Conv2dAttrs>().groups
             : 1;
}

// A binary operator of a value and a constant per channel.
struct PerChannel {
  Value x;
  Channels values;
};

std::optional<PerChannel> Match(const Node* node, OpKind kind) {
  if (node->kind() != kind) return std::nullopt;
  for (const int i : {1, 0}) {
    if (node->input(1 - i).type() != node->type()) continue;
    auto values = PerChannelValues(node->input(i), node->type());
    if (values.has_value()) return PerChannel{node->input(1 - i), *values};
  }
  return std::nullopt;
}

// Returns true if f(s * x) = s * f(x) once f's constants are scaled as well.
bool LetsThrough(const Node* node, const Channels& scale) {
  switch (node->kind()) {
    case OpKind::kRelu:
    case OpKind::kLeakyRelu:
    case OpKind::kMaxPool2d:
    case OpKind::kGlobalMaxPool2d:
      return std::all_of(scale.begin(), scale.end(),
                         [](double s) { return s > 0; });
    case OpKind::kAvgPool2d:
    case OpKind::kGlobalAvgPool2d:
      return true;
    case OpKind::kAdd:
      return Match(node, OpKind::kAdd).has_value();
    default:
      return false;
  }
}

Value DataOf(const Node* node) {
  const auto sum = Match(node, OpKind::kAdd);
  return sum.has_value() ? sum->x : node->input(0);
}

// The weights with every filter, or every input channel, scaled.
Node* Scaled(Graph& graph, const Node* anchor, const Channels& scale,
             bool filters, Node* before) {
  const Node* old = anchor->input(1).node;
  NDArray weights = ConstantOf({anchor->input(1)})->Clone();
  const Shape& shape = weights.shape();
  const int64_t taps = NumElements(shape) / (shape[0] * shape[1]);
  const int64_t each = shape[0] / GroupsOf(anchor);
  float* w = weights.data<float>().data();
  for (int64_t o = 0; o < shape[0]; ++o) {
    for (int64_t i = 0; i < shape[1]; ++i) {
      const double s = scale[filters ? o : o / each * shape[1] + i];
      for (int64_t t = 0; t < taps; ++t, ++w) *w = static_cast<float>(*w * s);
    }
  }
  Node* result = graph.AddConstant(std::move(weights), old->name(), before);
  graph.MergeSources(result, old);
  return result;
}

// The increment of every filter's result when t is added to the channels of the
// data.
Channels Summed(const Node* anchor, const Channels& t) {
  const NDArray& weights = *ConstantOf(anchor->input(1));
  const Shape& shape = weights.shape();
  const int64_t taps = NumElements(shape) / (shape[0] * shape[1]);
  const int64_t each = shape[0] / GroupsOf(anchor);
  const float* w = weights.data<float>().data();
  Channels sums(shape[0], 0);
  for (int64_t o = 0; o < shape[0]; ++o) {
    for (int64_t i = 0; i < shape[1]; ++i) {
      const double value = t[o / each * shape[1] + i];
      for (int64_t k = 0; k < taps; ++k, ++w) sums[o] += *w * value;
    }
  }
  return sums;
}

// A copy of `node`, inserted before `before`, with `data` in place of its first
// operand that is not a constant.
absl::StatusOr<Value> Copy(Graph& graph, const Node* node, Value data,
                           Node* before) {
  std::vector<Value> operands(node->inputs().begin(), node->inputs().end());
  for (Value& operand : operands) {
    if (ConstantOf(operand) != nullptr) continue;
    operand = data;
    break;
  }
  ASSAY_ASSIGN_OR_RETURN(Node * copy,
                         graph.AddNode(node->kind(), node->attrs(), operands,
                                       node->name(), before));
  graph.MergeSources(copy, node);
  return Value{copy};
}

// Copies the operators of `chain`, the one nearest to the data first, with
// their addends multiplied by `scale`.
absl::StatusOr<Value> CopyChain(Graph& graph, const std::vector<Node*>& chain,
                                Value data, const Channels& scale,
                                Node* before) {
  for (const Node* node : chain) {
    auto sum = Match(node, OpKind::kAdd);
    if (!sum.has_value()) {
      ASSAY_ASSIGN_OR_RETURN(data, Copy(graph, node, data, before));
      continue;
    }
    for (size_t c = 0; c < scale.size(); ++c) sum->values[c] *= scale[c];
    Node* addend =
        PerChannelConstant(graph, sum->values, node->type().rank(), before);
    ASSAY_ASSIGN_OR_RETURN(
        Node * copy, graph.AddNode(OpKind::kAdd, NoAttrs(), {data, {addend}},
                                   node->name(), before));
    graph.MergeSources(copy, node);
    data = {copy};
  }
  return data;
}

// multiply(…(anchor(x, w))).
absl::StatusOr<bool> FoldIntoFilters(Graph& graph, Node* multiply) {
  const auto product = Match(multiply, OpKind::kMultiply);
  if (!product.has_value()) return false;
  const Channels& scale = product->values;
  std::vector<Node*> chain;
  Node* node = product->x.node;
  while (HasOneUse(graph, node) && LetsThrough(node, scale)) {
    chain.push_back(node);
    node = DataOf(node).node;
  }
  if (!HasOneUse(graph, node) || !IsAnchor(node)) return false;
  std::reverse(chain.begin(), chain.end());
  Node* weights = Scaled(graph, node, scale, /*filters=*/true, multiply);
  ASSAY_ASSIGN_OR_RETURN(
      Node * anchor,
      graph.AddNode(node->kind(), node->attrs(), {node->input(0), {weights}},
                    node->name(), multiply));
  graph.MergeSources(anchor, node);
  ASSAY_ASSIGN_OR_RETURN(const Value result,
                         CopyChain(graph, chain, {anchor}, scale, multiply));
  Replace(graph, multiply, result);
  return true;
}

bool CanDivideBy(const Channels& scale) {
  return std::all_of(scale.begin(), scale.end(),
                     [](double s) { return std::fabs(s) > 1e-20; });
}

// anchor(…(multiply(x, s)), w).
absl::StatusOr<bool> FoldIntoChannels(Graph& graph, Node* anchor) {
  std::vector<Node*> chain;
  Node* node = anchor->input(0).node;
  // The scale is found last; only then can the whole chain be checked for it.
  while (HasOneUse(graph, node) && LetsThrough(node, {})) {
    chain.push_back(node);
    node = DataOf(node).node;
  }
  if (!HasOneUse(graph, node)) return false;
  const auto product = Match(node, OpKind::kMultiply);
  if (!product.has_value() || !CanDivideBy(product->values)) return false;
  Channels inverse;
  for (const double s : product->values) inverse.push_back(1 / s);
  for (const Node* between : chain) {
    if (!LetsThrough(between, product->values)) return false;
  }
  std::reverse(chain.begin(), chain.end());
  graph.MergeSources(anchor, node);
  ASSAY_ASSIGN_OR_RETURN(const Value data,
                         CopyChain(graph, chain, product->x, inverse, anchor));
  Node* weights =
      Scaled(graph, anchor, product->values, /*filters=*/false, anchor);
  ASSAY_ASSIGN_OR_RETURN(
      Node * scaled, graph.AddNode(anchor->kind(), anchor->attrs(),
                                   {data, {weights}}, anchor->name(), anchor));
  Replace(graph, anchor, {scaled});
  return true;
}

bool HasPadding(const Node* anchor) {
  return anchor->kind() == OpKind::kConv2d &&
         anchor->attrs_as<Conv2dAttrs>().padding != Padding{0, 0, 0, 0};
}

// anchor(add(x, t), w).
absl::StatusOr<bool> FoldAddend(Graph& graph, Node* anchor) {
  Node* add = anchor->input(0).node;
  const auto sum = Match(add, OpKind::kAdd);
  if (!sum.has_value() || !HasOneUse(graph, add) || HasPadding(anchor)) {
    return false;
  }
  Node* addend = PerChannelConstant(graph, Summed(anchor, sum->values),
                                    anchor->type().rank(), anchor);
  ASSAY_ASSIGN_OR_RETURN(const Value copy, Copy(graph, anchor, sum->x, anchor));
  graph.MergeSources(copy.node, add);
  ASSAY_ASSIGN_OR_RETURN(
      const Value result,
      Insert(graph, OpKind::kAdd, NoAttrs(), {copy, {addend}}, anchor));
  Replace(graph, anchor, result);
  return true;
}

absl::StatusOr<bool> Fold(Graph& graph, Node* node) {
  if (node->kind() == OpKind::kMultiply) return FoldIntoFilters(graph, node);
  if (!IsAnchor(node)) return false;
  ASSAY_ASSIGN_OR_RETURN(const bool folded, FoldAddend(graph, node));
  return folded ? folded : FoldIntoChannels(graph, node);
}

}  // namespace

absl::StatusOr<bool> FoldScaleAxis::Run(Graph& graph) {
  bool changed = false, again = true;
  // A fold can enable another one.
  while (again) {
    again = false;
    for (Node* node : graph.Nodes()) {
      ASSAY_ASSIGN_OR_RETURN(const bool folded, Fold(graph, node));
      again = again || folded;
    }
    changed = changed || again;
  }
  return changed;
}

}  // namespace assay::graph
