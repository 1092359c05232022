#include "compiler/graph/passes/alter_conv_layout.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/passes/dead_code.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// Null if the operator stays plain.
using OptionalNode = absl::StatusOr<Node*>;

// One run of the pass. Visits the original nodes in order. For each it either
// adds a blocked replacement and records it in `current_`, or keeps the node
// and gives it plain operands.
class LayoutRewriter {
 public:
  LayoutRewriter(Graph& graph, const LayoutPlan& plan)
      : graph_(graph), plan_(plan) {}

  absl::StatusOr<bool> Run() {
    const std::vector<Node*> nodes = graph_.Nodes();
    for (Node* node : nodes) {
      ASSAY_ASSIGN_OR_RETURN(Node * blocked, Blocked(node));
      if (blocked != nullptr) {
        graph_.MergeSources(blocked, node);
        replaced_.push_back(node);
      } else {
        ASSAY_RETURN_IF_ERROR(UsePlainOperands(node));
      }
    }
    if (replaced_.empty()) return false;
    for (const Output& output : std::vector<Output>(graph_.outputs())) {
      ASSAY_ASSIGN_OR_RETURN(Value plain, InBlock(output.value, 0, nullptr));
      graph_.ReplaceAllUses(output.value, plain);
    }
    for (auto it = replaced_.rbegin(); it != replaced_.rend(); ++it) {
      graph_.Erase(*it);
    }
    return true;
  }

 private:
  // The replacement of a value of the original graph and its channel block.
  struct LaidOut {
    int64_t block = 0;
    Value value;
  };

  LaidOut CurrentLayout(Value value) const {
    const auto it = current_.find(value);
    return it == current_.end() ? LaidOut{0, value} : it->second;
  }

  void SetCurrentLayout(Node* node, int64_t block, Node* blocked) {
    current_[{node}] = {block, {blocked}};
    in_block_[{{node}, block}] = {blocked};
  }

  // Returns `value`, of the original graph, in the given layout. Unless it
  // exists already, a conversion is inserted before `before`, or at the end if
  // that is null.
  absl::StatusOr<Value> InBlock(Value value, int64_t block, Node* before) {
    const LaidOut current = CurrentLayout(value);
    if (current.block == block) return current.value;
    Value& cached = in_block_[{value, block}];
    if (cached.node != nullptr) return cached;
    ASSAY_ASSIGN_OR_RETURN(
        Node * node, graph_.AddNode(OpKind::kLayoutTransform,
                                    LayoutTransformAttrs{current.block, block},
                                    {current.value}, "", before));
    graph_.SetSources(node, current.value.node->sources());
    cached = {node};
    return cached;
  }

  absl::Status UsePlainOperands(Node* node) {
    for (int i = 0; i < node->num_inputs(); ++i) {
      if (CurrentLayout(node->input(i)).block == 0) continue;
      ASSAY_ASSIGN_OR_RETURN(Value plain, InBlock(node->input(i), 0, node));
      graph_.ReplaceInput(node, i, plain);
    }
    return absl::OkStatus();
  }

  OptionalNode Blocked(Node* node) {
    const auto planned = plan_.find(node);
    if (planned == plan_.end()) return nullptr;
    const ConvLayout& layout = planned->second;
    switch (node->kind()) {
      case OpKind::kConv2d:
        return BlockedConv2d(node, layout);
      case OpKind::kConv2dTranspose:
        return BlockedConv2dTranspose(node, layout);
      case OpKind::kMaxPool2d:
      case OpKind::kAvgPool2d: {
        Pool2dAttrs attrs = node->attrs_as<Pool2dAttrs>();
        attrs.block = layout.out_block;
        return WithBlockedData(node, attrs, layout.out_block);
      }
      case OpKind::kGlobalAvgPool2d:
      case OpKind::kGlobalMaxPool2d:
        return WithBlockedData(node, GlobalPool2dAttrs{layout.out_block},
                               layout.out_block);
      case OpKind::kConcat:
        return BlockedConcat(node, layout.out_block);
      case OpKind::kSlice:
        return BlockedSlice(node, layout.out_block);
      default:
        return IsBinary(node->kind())
                   ? BlockedBinary(node, layout.out_block)
                   : WithBlockedData(node, node->attrs(), layout.out_block);
    }
  }

  // The first operand in blocks, the others unchanged.
  OptionalNode WithBlockedData(Node* node, Attrs attrs, int64_t block) {
    std::vector<Value> operands(node->inputs().begin(), node->inputs().end());
    ASSAY_ASSIGN_OR_RETURN(operands[0], InBlock(operands[0], block, node));
    return AddBlocked(node, std::move(attrs), operands, block);
  }

  OptionalNode BlockedConcat(Node* node, int64_t block) {
    std::vector<Value> operands;
    for (const Value input : node->inputs()) {
      ASSAY_ASSIGN_OR_RETURN(Value operand, InBlock(input, block, node));
      operands.push_back(operand);
    }
    return AddBlocked(node, node->attrs(), operands, block);
  }

  OptionalNode BlockedSlice(Node* node, int64_t block) {
    SliceAttrs attrs = node->attrs_as<SliceAttrs>();
    attrs.begins[1] /= block;
    attrs.sizes[1] /= block;
    attrs.begins.push_back(0);
    attrs.steps.push_back(1);
    attrs.sizes.push_back(block);
    return WithBlockedData(node, attrs, block);
  }

  OptionalNode BlockedConv2d(Node* node, const ConvLayout& layout) {
    Conv2dAttrs attrs = node->attrs_as<Conv2dAttrs>();
    const Value weights = node->input(1);
    ASSAY_RETURN_IF_ERROR(CheckLayout(*node, layout, weights.type().shape[0]));
    attrs.in_block = layout.in_block;
    attrs.out_block = layout.out_block;
    attrs.winograd = layout.winograd;
    attrs.depth = layout.depth;
    attrs.bfloat16_parts = layout.bfloat16_parts;
    attrs.folded_columns = layout.folded_columns;
    ASSAY_ASSIGN_OR_RETURN(const Value data,
                           InBlock(node->input(0), layout.in_block, node));
    ASSAY_ASSIGN_OR_RETURN(
        const Value packed,
        layout.winograd > 0         ? TransformWeights(weights, layout, node)
        : layout.bfloat16_parts > 0 ? PackSplitWeights(weights, layout, node)
        : layout.depth > 0          ? PackDeepWeights(weights, layout, node)
                                    : PackWeights(weights, layout, node));
    return AddBlocked(node, attrs, {data, packed}, layout.out_block);
  }

  OptionalNode BlockedConv2dTranspose(Node* node, const ConvLayout& layout) {
    Conv2dTransposeAttrs attrs = node->attrs_as<Conv2dTransposeAttrs>();
    const Value weights = node->input(1);
    ASSAY_RETURN_IF_ERROR(CheckLayout(*node, layout, node->type().shape[1]));
    attrs.in_block = layout.in_block;
    attrs.out_block = layout.out_block;
    ASSAY_ASSIGN_OR_RETURN(const Value data,
                           InBlock(node->input(0), layout.in_block, node));
    ASSAY_ASSIGN_OR_RETURN(const Value turned,
                           FiltersFirst(weights, attrs.groups, node));
    ASSAY_ASSIGN_OR_RETURN(const Value packed,
                           PackWeights(turned, layout, node));
    return AddBlocked(node, attrs, {data, packed}, layout.out_block);
  }

  static absl::Status CheckLayout(const Node& node, const ConvLayout& layout,
                                  int64_t filters) {
    const int64_t channels = node.input(0).type().shape[1];
    if (layout.in_block >= 1 && channels % layout.in_block == 0 &&
        layout.out_block >= 1 && filters % layout.out_block == 0) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        absl::StrCat("node ", node.Label(), ": blocks ", layout.in_block,
                     " and ", layout.out_block, " do not divide its ", channels,
                     " channels and ", filters, " filters"));
  }

  OptionalNode AddBlocked(Node* node, Attrs attrs,
                          const std::vector<Value>& operands, int64_t block) {
    ASSAY_ASSIGN_OR_RETURN(
        Node * blocked, graph_.AddNode(node->kind(), std::move(attrs), operands,
                                       node->name(), node));
    SetCurrentLayout(node, block, blocked);
    return blocked;
  }

  absl::StatusOr<Value> TransformWeights(Value weights,
                                         const ConvLayout& layout,
                                         Node* before) {
    ASSAY_ASSIGN_OR_RETURN(
        Node * transformed,
        graph_.AddNode(
            OpKind::kWinogradWeights,
            WinogradWeightsAttrs{layout.winograd, layout.weight_block},
            {weights}, "", before));
    return Value{transformed};
  }

  // [O,I,KH,KW] to [O/ob,I/ib,KH,KW,ib/d,ob,d].
  absl::StatusOr<Value> PackDeepWeights(Value weights, const ConvLayout& layout,
                                        Node* before) {
    const Shape& s = weights.type().shape;
    if (weights.type().dtype != layout.weight_type) {
      ASSAY_ASSIGN_OR_RETURN(
          Node * cast,
          graph_.AddNode(OpKind::kCast, CastAttrs{layout.weight_type},
                         {weights}, "", before));
      weights = {cast};
    }
    ASSAY_ASSIGN_OR_RETURN(
        const Value split,
        Reshaped(
            weights,
            {s[0] / layout.out_block, layout.out_block, s[1] / layout.in_block,
             layout.in_block / layout.depth, layout.depth, s[2], s[3]},
            before));
    return Transposed(split, {0, 2, 5, 6, 3, 1, 4}, before);
  }

  // [O,I,KH,KW] to [O,KW*I,KH,1].
  absl::StatusOr<Value> FoldColumns(Value weights, Node* before) {
    const Shape s = weights.type().shape;
    ASSAY_ASSIGN_OR_RETURN(const Value turned,
                           Transposed(weights, {0, 3, 1, 2}, before));
    return Reshaped(turned, {s[0], s[3] * s[1], s[2], 1}, before);
  }

  // [O,I,KH,KW] to [O/ob,I/32,KH,KW,2,16,ob,2], with I padded to a multiple of
  // the 32 channels of a tile.
  absl::StatusOr<Value> PackSplitWeights(Value weights,
                                         const ConvLayout& layout,
                                         Node* before) {
    constexpr int64_t kDepth = 32, kFactors = 2;
    if (layout.folded_columns > 0) {
      ASSAY_ASSIGN_OR_RETURN(weights, FoldColumns(weights, before));
    }
    const Shape s = weights.type().shape;
    const int64_t blocks = (s[1] + kDepth - 1) / kDepth;
    if (s[1] != blocks * kDepth) {
      ASSAY_ASSIGN_OR_RETURN(
          Node * padded,
          graph_.AddNode(
              OpKind::kPad,
              PadAttrs{{0, 0, 0, 0}, {0, blocks * kDepth - s[1], 0, 0}},
              {weights}, "", before));
      weights = {padded};
    }
    ASSAY_ASSIGN_OR_RETURN(Node * parts,
                           graph_.AddNode(OpKind::kSplitBFloat16, NoAttrs(),
                                          {weights}, "", before));
    ASSAY_ASSIGN_OR_RETURN(
        const Value split,
        Reshaped(
            {parts},
            {layout.bfloat16_parts, s[0] / layout.out_block, layout.out_block,
             blocks, kDepth / kFactors, kFactors, s[2], s[3]},
            before));
    return Transposed(split, {1, 3, 6, 7, 0, 4, 2, 5}, before);
  }

  // [C,O/groups,KH,KW] to [O,C/groups,KH,KW].
  absl::StatusOr<Value> FiltersFirst(Value weights, int64_t groups,
                                     Node* before) {
    const Shape& s = weights.type().shape;
    const int64_t channels = s[0] / groups;
    ASSAY_ASSIGN_OR_RETURN(
        Value value,
        Reshaped(weights, {groups, channels, s[1], s[2], s[3]}, before));
    ASSAY_ASSIGN_OR_RETURN(value, Transposed(value, {0, 2, 1, 3, 4}, before));
    return Reshaped(value, {groups * s[1], channels, s[2], s[3]}, before);
  }

  // [O,I,KH,KW] to [O/ob,I/wi,KH,KW,wi,ob], where wi is at most I.
  absl::StatusOr<Value> PackWeights(Value weights, const ConvLayout& layout,
                                    Node* before) {
    const Shape& s = weights.type().shape;
    const int64_t in = std::min(layout.in_block, s[1]), out = layout.out_block;
    if (s[1] % in != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "node ", before->Label(), ": a block of ", layout.in_block,
          " cuts its groups of ", s[1], " channels"));
    }
    ASSAY_ASSIGN_OR_RETURN(
        const Value split,
        Reshaped(weights, {s[0] / out, out, s[1] / in, in, s[2], s[3]},
                 before));
    return Transposed(split, {0, 2, 4, 5, 3, 1}, before);
  }

  absl::StatusOr<Value> Reshaped(Value value, Shape shape, Node* before) {
    ASSAY_ASSIGN_OR_RETURN(
        Node * node,
        graph_.AddNode(OpKind::kReshape, ReshapeAttrs{std::move(shape)},
                       {value}, "", before));
    return Value{node};
  }

  absl::StatusOr<Value> Transposed(Value value, std::vector<int64_t> perm,
                                   Node* before) {
    ASSAY_ASSIGN_OR_RETURN(
        Node * node,
        graph_.AddNode(OpKind::kTranspose, TransposeAttrs{std::move(perm)},
                       {value}, "", before));
    return Value{node};
  }

  // Operands of the result's shape are blocked; a single value, or one value
  // per channel, is reshaped to broadcast over blocks.
  OptionalNode BlockedBinary(Node* node, int64_t block) {
    std::vector<Value> operands;
    for (Value input : node->inputs()) {
      ASSAY_ASSIGN_OR_RETURN(Value operand, Follow(input, block, node));
      operands.push_back(operand);
    }
    return AddBlocked(node, node->attrs(), operands, block);
  }

  absl::StatusOr<Value> Follow(Value value, int64_t block, Node* before) {
    if (value.type().shape == before->type().shape) {
      return InBlock(value, block, before);
    }
    const bool is_single = value.type().num_elements() == 1;
    ASSAY_ASSIGN_OR_RETURN(Value plain, InBlock(value, 0, before));
    if (is_single && value.type().rank() <= 1) return plain;
    // Height and width are 1, so splitting the channels moves no element.
    const Shape shape =
        is_single ? Shape{1}
                  : Shape{before->type().shape[1] / block, 1, 1, block};
    return Reshaped(plain, shape, before);
  }

  Graph& graph_;
  const LayoutPlan& plan_;
  absl::flat_hash_map<Value, LaidOut> current_;
  // Key: a value of the original graph and a channel block.
  absl::flat_hash_map<std::pair<Value, int64_t>, Value> in_block_;
  std::vector<Node*> replaced_;
};

}  // namespace

absl::StatusOr<bool> AlterConvLayout::Run(Graph& graph) {
  if (costs_.conv == nullptr) return false;
  const LayoutPlan plan = PlanLayouts(graph, costs_);
  return LayoutRewriter(graph, plan).Run();
}

}  // namespace assay::graph
