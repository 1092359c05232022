#include "compiler/graph/passes/fold_pads.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// (top, left, bottom, right) of a pad of height and width only; else nullopt.
std::optional<Padding> PaddingOf(const Node* pad) {
  if (pad->kind() != OpKind::kPad || pad->type().rank() != 4) {
    return std::nullopt;
  }
  const auto& attrs = pad->attrs_as<PadAttrs>();
  for (const int axis : {0, 1}) {
    if (attrs.before[axis] != 0 || attrs.after[axis] != 0) return std::nullopt;
  }
  return Padding{attrs.before[2], attrs.before[3], attrs.after[2],
                 attrs.after[3]};
}

Padding Sum(const Padding& a, const Padding& b) {
  Padding sum = a;
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
  return sum;
}

bool IsNeverNegative(const Node* node) {
  if (node->kind() == OpKind::kRelu || node->kind() == OpKind::kSigmoid) {
    return true;
  }
  return node->kind() == OpKind::kClip &&
         node->attrs_as<ClipAttrs>().min >= 0 &&
         node->attrs_as<ClipAttrs>().max >= 0;
}

// The pooling with the padding of `pad` added; nullopt if the result would
// differ.
std::optional<Attrs> Pooling(const Node* pool, const Node* pad,
                             const Padding& padding) {
  Pool2dAttrs attrs = pool->attrs_as<Pool2dAttrs>();
  const float value = pad->attrs_as<PadAttrs>().value;
  // With ceil_mode the last window depends on where the data ends.
  if (attrs.ceil_mode) return std::nullopt;
  if (pool->kind() == OpKind::kAvgPool2d) {
    const bool counts =
        attrs.count_include_pad || attrs.padding == Padding{0, 0, 0, 0};
    if (value != 0 || !counts) return std::nullopt;
    attrs.count_include_pad = true;
  } else {
    const bool neutral = value == -std::numeric_limits<float>::infinity() ||
                         (value == 0 && IsNeverNegative(pad->input(0).node));
    if (!neutral) return std::nullopt;
  }
  attrs.padding = Sum(attrs.padding, padding);
  for (size_t i = 0; i < attrs.padding.size(); ++i) {
    if (attrs.padding[i] >= attrs.kernel[i % 2] ||
        attrs.dilations[i % 2] != 1) {
      return std::nullopt;
    }
  }
  return attrs;
}

// Returns true if a convolution of data of type `dtype` can have padding with
// `value`.
bool IsPadValue(float value, DType dtype) {
  if (value == 0) return true;
  if (dtype.is_float() || dtype.bits() > 16) return false;
  const int count = 1 << dtype.bits();
  const int least = dtype.is_int() ? -count / 2 : 0;
  return value >= least && value < least + count;
}

// Returns true if the padding may be left out of the sums: 0 times a weight is
// 0 only if the weight is finite.
bool HasFiniteWeights(const Node* conv) {
  if (!conv->input(1).type().dtype.is_float()) return true;
  const NDArray* weights = ConstantOf(conv->input(1));
  if (weights == nullptr) return false;
  for (int64_t i = 0; i < weights->num_elements(); ++i) {
    if (!std::isfinite(LoadFloat(*weights, i))) return false;
  }
  return true;
}

// The convolution with the padding of `pad` added; nullopt if the result would
// differ.
std::optional<Attrs> Convolution(const Node* conv, const Node* pad,
                                 const Padding& padding) {
  Conv2dAttrs attrs = conv->attrs_as<Conv2dAttrs>();
  const float value = pad->attrs_as<PadAttrs>().value;
  if (!IsPadValue(value, pad->type().dtype) || !HasFiniteWeights(conv)) {
    return std::nullopt;
  }
  if (attrs.padding == Padding{0, 0, 0, 0}) {
    attrs.pad_value = static_cast<int64_t>(value);
  }
  if (static_cast<float>(attrs.pad_value) != value) return std::nullopt;
  attrs.padding = Sum(attrs.padding, padding);
  return attrs;
}

std::optional<Attrs> Folded(const Node* node, const Node* pad) {
  const std::optional<Padding> padding = PaddingOf(pad);
  if (!padding.has_value()) return std::nullopt;
  if (node->kind() == OpKind::kConv2d) {
    return Convolution(node, pad, *padding);
  }
  if (node->kind() == OpKind::kMaxPool2d ||
      node->kind() == OpKind::kAvgPool2d) {
    return Pooling(node, pad, *padding);
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<bool> FoldPads::Run(Graph& graph) {
  bool changed = false;
  for (Node* node : graph.Nodes()) {
    if (node->num_inputs() == 0) continue;
    Node* pad = node->input(0).node;
    std::optional<Attrs> attrs = Folded(node, pad);
    if (!attrs.has_value()) continue;
    std::vector<Value> operands(node->inputs().begin(), node->inputs().end());
    operands[0] = pad->input(0);
    ASSAY_ASSIGN_OR_RETURN(
        Node * folded, graph.AddNode(node->kind(), *std::move(attrs), operands,
                                     node->name(), node));
    graph.MergeSources(folded, node);
    graph.MergeSources(folded, pad);
    Replace(graph, node, {folded});
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
