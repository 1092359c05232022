#include "compiler/graph/passes/pad_integer_channels.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/passes/folding_builder.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

bool IsByte(DType dtype) {
  return dtype == DType::Int(8) || dtype == DType::UInt(8);
}

bool IsIntegerConv(const Node& node) {
  return node.kind() == OpKind::kConv2d &&
         node.attrs_as<Conv2dAttrs>().in_block == 0 &&
         IsByte(node.input(0).type().dtype) &&
         ConstantOf(node.input(1)) != nullptr;
}

// A convolution that sums over all channels of its data.
bool IsDense(const Node& node) {
  return IsIntegerConv(node) && node.attrs_as<Conv2dAttrs>().groups == 1;
}

bool IsDepthwise(const Node& node) {
  if (!IsIntegerConv(node)) return false;
  const int64_t groups = node.attrs_as<Conv2dAttrs>().groups;
  return groups > 1 && groups == node.input(0).type().shape[1] &&
         groups == node.type().shape[1];
}

bool IsPool(const Node& node) {
  return node.kind() == OpKind::kMaxPool2d ||
         (node.kind() == OpKind::kReduceSum && node.type().rank() == 4 &&
          node.attrs_as<ReduceAttrs>().axes == std::vector<int64_t>{2, 3});
}

// One value, or one per channel, for an image with `channels` channels.
bool IsParameter(const TensorType& type, int64_t channels) {
  if (type.num_elements() == 1) return true;
  const int64_t rank = type.rank();
  return type.num_elements() == channels && rank >= 3 &&
         type.shape[rank - 3] == channels;
}

// An operator that computes each channel from the same channels of its operands
// of rank 4, all of which have as many channels.
bool KeepsChannels(const Node& node) {
  if (node.type().rank() != 4) return false;
  if (IsDepthwise(node) || IsPool(node)) return true;
  const PatternKind pattern = OpPattern(node.kind());
  if (node.num_outputs() != 1 ||
      (pattern != PatternKind::kElemWise &&
       pattern != PatternKind::kBroadcast) ||
      node.kind() == OpKind::kBroadcastTo) {
    return false;
  }
  bool any = false;
  for (const Value x : node.inputs()) {
    if (x.type().shape == node.type().shape) {
      any = true;
    } else if (!IsParameter(x.type(), node.type().shape[1]) ||
               (x.type().num_elements() > 1 && ConstantOf(x) == nullptr)) {
      return false;
    }
  }
  return any;
}

// One run of the pass. `wide_` maps values to images whose first channels are
// those of the value.
class Padder {
 public:
  Padder(Graph& graph, const IntegerChannels& choose)
      : graph_(graph), choose_(choose) {}

  absl::StatusOr<bool> Run() {
    bool changed = false;
    for (Node* node : graph_.Nodes()) {
      std::optional<Value> wide;
      if (IsDense(*node)) {
        ASSAY_ASSIGN_OR_RETURN(wide, WideConv(node));
      } else if (KeepsChannels(*node)) {
        ASSAY_ASSIGN_OR_RETURN(wide, WideOperator(node));
      }
      if (!wide.has_value()) continue;
      changed = true;
      ASSAY_RETURN_IF_ERROR(ReplaceBy(node, *wide));
    }
    if (changed) ASSAY_RETURN_IF_ERROR(DeadCode().Run(graph_).status());
    return changed;
  }

 private:
  // Returns true if convolutions read `value` after operators that keep the
  // channels, and nothing else reads it.
  bool IsAbsorbed(const Node* node) {
    const auto known = absorbed_.find(node);
    if (known != absorbed_.end()) return known->second;
    bool absorbed = !graph_.IsOutput(node);
    for (const Use& use : node->users()) {
      absorbed =
          absorbed && ((IsDense(*use.user) && use.operand == 0) ||
                       (KeepsChannels(*use.user) && IsAbsorbed(use.user)));
    }
    return absorbed_[node] = absorbed;
  }

  absl::StatusOr<Value> Pad(Value x, int64_t axis, int64_t extent,
                            Node* before) {
    PadAttrs attrs;
    attrs.before.assign(x.type().rank(), 0);
    attrs.after = attrs.before;
    attrs.after[axis] = extent - x.type().shape[axis];
    if (attrs.after[axis] == 0) return x;
    return FoldingBuilder(graph_, before).Add(OpKind::kPad, attrs, {x});
  }

  // The image of which `value` is a part, or `value`.
  Value Wide(Value value) const {
    const auto it = wide_.find(value);
    return it == wide_.end() ? value : it->second;
  }

  // The convolution with all channels of its data and more filters; nullopt if
  // both numbers are right.
  absl::StatusOr<std::optional<Value>> WideConv(Node* conv) {
    Value weights = conv->input(1);
    const int64_t filters = weights.type().shape[0];
    Value data = Wide(conv->input(0));
    if (data == conv->input(0)) {
      ASSAY_ASSIGN_OR_RETURN(
          data, Pad(data, 1, choose_.data(data.type().shape[1]), conv));
    }
    const int64_t wanted =
        IsAbsorbed(conv) ? choose_.filters(filters) : filters;
    if (data == conv->input(0) && wanted == filters) return std::nullopt;
    ASSAY_ASSIGN_OR_RETURN(weights,
                           Pad(weights, 1, data.type().shape[1], conv));
    ASSAY_ASSIGN_OR_RETURN(weights, Pad(weights, 0, wanted, conv));
    return Insert(graph_, OpKind::kConv2d, conv->attrs(), {data, weights},
                  conv);
  }

  // The operator on images with more channels; nullopt if there are none.
  absl::StatusOr<std::optional<Value>> WideOperator(Node* node) {
    const int64_t channels = node->type().shape[1];
    int64_t wide = channels;
    for (const Value x : node->inputs()) {
      if (x.type().rank() == 4) wide = std::max(wide, Wide(x).type().shape[1]);
    }
    if (wide == channels) return std::nullopt;
    std::vector<Value> operands;
    for (const Value x : node->inputs()) {
      const TensorType& type = x.type();
      Value operand = Wide(x);
      if (IsDepthwise(*node) && operands.size() == 1) {
        ASSAY_ASSIGN_OR_RETURN(operand, Pad(x, 0, wide, node));
      } else if (type.num_elements() > 1) {
        ASSAY_ASSIGN_OR_RETURN(operand,
                               Pad(operand, type.rank() - 3, wide, node));
      }
      operands.push_back(operand);
    }
    Attrs attrs = node->attrs();
    if (IsDepthwise(*node)) std::get<Conv2dAttrs>(attrs).groups = wide;
    return Insert(graph_, node->kind(), attrs, operands, node);
  }

  absl::Status ReplaceBy(Node* node, Value wide) {
    Value part = wide;
    if (wide.type() != node->type()) {
      const int64_t rank = wide.type().rank();
      SliceAttrs attrs;
      attrs.begins.assign(rank, 0);
      attrs.steps.assign(rank, 1);
      attrs.sizes = node->type().shape;
      ASSAY_ASSIGN_OR_RETURN(
          part, Insert(graph_, OpKind::kSlice, attrs, {wide}, node));
      wide_[part] = wide;
    }
    graph_.MergeSources(wide.node, node);
    graph_.SetSources(part.node, wide.node->sources());
    graph_.ReplaceAllUses({node}, part);
    return absl::OkStatus();
  }

  Graph& graph_;
  const IntegerChannels& choose_;
  absl::flat_hash_map<Value, Value> wide_;
  absl::flat_hash_map<const Node*, bool> absorbed_;
};

}  // namespace

absl::StatusOr<bool> PadIntegerChannels::Run(Graph& graph) {
  if (choose_.data == nullptr) return false;
  return Padder(graph, choose_).Run();
}

}  // namespace assay::graph
