#include "compiler/graph/passes/fold_scale_axis.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/passes/rewrite.h"
#include "compiler/graph/passes/scaled_weights.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

using Channels = std::vector<double>;

// Returns true for a conv2d or a dense product with constant float32
// weights [filters, channels of a group, …].
bool IsAnchor(const Node* node) {
  if (node->kind() != OpKind::kConv2d && node->kind() != OpKind::kDense) {
    return false;
  }
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

// Returns true if f(s * x) = s * f(x).
bool Commutes(const Node* node, const Channels& scale) {
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
    default:
      return false;
  }
}

// Returns true if `values` can be the bias of a product. Models add larger
// constants in order to round, like (x + 12582912) - 12582912.
bool IsBias(const Channels& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double v) { return std::fabs(v) < 65536; });
}

// The weights of `anchor` with every filter, or every input channel, scaled,
// inserted before `before`. Null if they are not finite.
Node* Scaled(Graph& graph, const Node* anchor, const Channels& scale,
             bool filters, Node* before) {
  const Node* old = anchor->input(1).node;
  const NDArray& weights = *ConstantOf(anchor->input(1));
  const int64_t channels = weights.shape()[1];
  const int64_t each = weights.shape()[0] / GroupsOf(anchor);
  std::optional<NDArray> scaled =
      ScaledWeights(weights, [&](int64_t filter, int64_t channel) {
        return scale[filters ? filter : filter / each * channels + channel];
      });
  if (!scaled.has_value()) return nullptr;
  Node* result = graph.AddConstant(*std::move(scaled), old->name(), before);
  graph.MergeSources(result, old);
  return result;
}

// A copy of `node`, inserted before `before`, with `operands`.
absl::StatusOr<Value> Copy(Graph& graph, const Node* node,
                           const std::vector<Value>& operands, Node* before) {
  ASSAY_ASSIGN_OR_RETURN(Node * copy,
                         graph.AddNode(node->kind(), node->attrs(), operands,
                                       node->name(), before));
  graph.MergeSources(copy, node);
  return Value{copy};
}

// An operator between a multiplication and the weights. For the addition of a
// bias, `bias` has its values; for other operators it is empty.
struct Between {
  const Node* node;
  Channels bias;
};

// multiply(…(anchor(x, w))).
absl::StatusOr<bool> FoldIntoFilters(Graph& graph, Node* multiply) {
  const auto product = Match(multiply, OpKind::kMultiply);
  if (!product.has_value()) return false;
  const Channels& scale = product->values;
  std::vector<Between> chain;
  bool has_bias = false;
  Node* anchor = product->x.node;
  while (HasOneUse(graph, anchor) && !IsAnchor(anchor)) {
    auto sum = Match(anchor, OpKind::kAdd);
    if (sum.has_value() ? has_bias || !IsBias(sum->values)
                        : !Commutes(anchor, scale)) {
      return false;
    }
    has_bias = has_bias || sum.has_value();
    chain.push_back({anchor, sum.has_value() ? sum->values : Channels()});
    anchor = sum.has_value() ? sum->x.node : anchor->input(0).node;
  }
  if (!HasOneUse(graph, anchor)) return false;
  for (Between& between : chain) {
    for (size_t c = 0; c < between.bias.size(); ++c) {
      between.bias[c] *= scale[c];
    }
    if (!AreFinite(between.bias)) return false;
  }
  Node* weights = Scaled(graph, anchor, scale, /*filters=*/true, multiply);
  if (weights == nullptr) return false;
  ASSAY_ASSIGN_OR_RETURN(
      Value result,
      Copy(graph, anchor, {anchor->input(0), {weights}}, multiply));
  // The operator nearest to the weights is the last of the chain.
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    std::vector<Value> operands = {result};
    if (!it->bias.empty()) {
      operands.push_back({PerChannelConstant(
          graph, it->bias, it->node->type().rank(), multiply)});
    }
    ASSAY_ASSIGN_OR_RETURN(result, Copy(graph, it->node, operands, multiply));
  }
  Replace(graph, multiply, result);
  return true;
}

// anchor(…(multiply(x, s)), w).
absl::StatusOr<bool> FoldIntoChannels(Graph& graph, Node* anchor) {
  std::vector<Node*> chain;
  Node* node = anchor->input(0).node;
  // The scale is found last; only then can the whole chain be checked for it.
  while (HasOneUse(graph, node) && Commutes(node, {})) {
    chain.push_back(node);
    node = node->input(0).node;
  }
  if (!HasOneUse(graph, node)) return false;
  const auto product = Match(node, OpKind::kMultiply);
  if (!product.has_value()) return false;
  for (const Node* between : chain) {
    if (!Commutes(between, product->values)) return false;
  }
  Node* weights =
      Scaled(graph, anchor, product->values, /*filters=*/false, anchor);
  if (weights == nullptr) return false;
  graph.MergeSources(anchor, node);
  Value data = product->x;
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    ASSAY_ASSIGN_OR_RETURN(data, Copy(graph, *it, {data}, anchor));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value scaled,
                         Copy(graph, anchor, {data, {weights}}, anchor));
  Replace(graph, anchor, scaled);
  return true;
}

absl::StatusOr<bool> Fold(Graph& graph, Node* node) {
  if (node->kind() == OpKind::kMultiply) return FoldIntoFilters(graph, node);
  return IsAnchor(node) ? FoldIntoChannels(graph, node) : false;
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
