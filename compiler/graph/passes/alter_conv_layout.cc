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

using OptionalNode = absl::StatusOr<Node*>;  // null: keep the plain operator

// One run of the pass. Walks the original nodes in order; for each it either
// adds a blocked version and remembers it in `home_`, or leaves the node and
// gives it plain operands.
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
  // The layout in which a value of the original graph is now computed.
  struct Home {
    int64_t block = 0;
    Value value;
  };

  Home HomeOf(Value value) const {
    const auto it = home_.find(value);
    return it == home_.end() ? Home{0, value} : it->second;
  }

  void SetHome(Node* node, int64_t block, Node* blocked) {
    home_[{node}] = {block, {blocked}};
    in_block_[{{node}, block}] = {blocked};
  }

  // `value` of the original graph in the given layout, converted before
  // `before` (or at the end) unless it exists already.
  absl::StatusOr<Value> InBlock(Value value, int64_t block, Node* before) {
    const Home home = HomeOf(value);
    if (home.block == block) return home.value;
    Value& cached = in_block_[{value, block}];
    if (cached.node != nullptr) return cached;
    ASSAY_ASSIGN_OR_RETURN(
        Node * node, graph_.AddNode(OpKind::kLayoutTransform,
                                    LayoutTransformAttrs{home.block, block},
                                    {home.value}, "", before));
    graph_.SetSources(node, home.value.node->sources());
    cached = {node};
    return cached;
  }

  absl::Status UsePlainOperands(Node* node) {
    for (int i = 0; i < node->num_inputs(); ++i) {
      if (HomeOf(node->input(i)).block == 0) continue;
      ASSAY_ASSIGN_OR_RETURN(Value plain, InBlock(node->input(i), 0, node));
      graph_.ReplaceInput(node, i, plain);
    }
    return absl::OkStatus();
  }

  OptionalNode Blocked(Node* node) {
    const auto planned = plan_.find(node);
    if (planned == plan_.end()) return nullptr;
    const ConvBlocks& blocks = planned->second;
    switch (node->kind()) {
      case OpKind::kConv2d:
        return BlockedConv2d(node, blocks);
      case OpKind::kConv2dTranspose:
        return BlockedConv2dTranspose(node, blocks);
      case OpKind::kMaxPool2d:
      case OpKind::kAvgPool2d: {
        Pool2dAttrs attrs = node->attrs_as<Pool2dAttrs>();
        attrs.block = blocks.out;
        return WithBlockedData(node, attrs, blocks.out);
      }
      case OpKind::kGlobalAvgPool2d:
      case OpKind::kGlobalMaxPool2d:
        return WithBlockedData(node, GlobalPool2dAttrs{blocks.out}, blocks.out);
      case OpKind::kConcat:
        return BlockedConcat(node, blocks.out);
      case OpKind::kSlice:
        return BlockedSlice(node, blocks.out);
      default:
        return IsBinary(node->kind())
                   ? BlockedBinary(node, blocks.out)
                   : WithBlockedData(node, node->attrs(), blocks.out);
    }
  }

  // The first operand in blocks, others as they are.
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

  OptionalNode BlockedConv2d(Node* node, const ConvBlocks& blocks) {
    Conv2dAttrs attrs = node->attrs_as<Conv2dAttrs>();
    const Value weights = node->input(1);
    ASSAY_RETURN_IF_ERROR(CheckBlocks(*node, blocks, weights.type().shape[0]));
    attrs.in_block = blocks.in;
    attrs.out_block = blocks.out;
    attrs.winograd = blocks.winograd;
    attrs.depth = blocks.depth;
    ASSAY_ASSIGN_OR_RETURN(const Value data,
                           InBlock(node->input(0), blocks.in, node));
    ASSAY_ASSIGN_OR_RETURN(
        const Value packed,
        blocks.winograd > 0 ? TransformWeights(weights, blocks, node)
        : blocks.depth > 0  ? PackDeepWeights(weights, blocks, node)
                            : PackWeights(weights, blocks, node));
    return AddBlocked(node, attrs, {data, packed}, blocks.out);
  }

  OptionalNode BlockedConv2dTranspose(Node* node, const ConvBlocks& blocks) {
    Conv2dTransposeAttrs attrs = node->attrs_as<Conv2dTransposeAttrs>();
    const Value weights = node->input(1);
    ASSAY_RETURN_IF_ERROR(CheckBlocks(*node, blocks, node->type().shape[1]));
    attrs.in_block = blocks.in;
    attrs.out_block = blocks.out;
    ASSAY_ASSIGN_OR_RETURN(const Value data,
                           InBlock(node->input(0), blocks.in, node));
    ASSAY_ASSIGN_OR_RETURN(const Value turned,
                           FiltersFirst(weights, attrs.groups, node));
    ASSAY_ASSIGN_OR_RETURN(const Value packed,
                           PackWeights(turned, blocks, node));
    return AddBlocked(node, attrs, {data, packed}, blocks.out);
  }

  static absl::Status CheckBlocks(const Node& node, const ConvBlocks& blocks,
                                  int64_t filters) {
    const int64_t channels = node.input(0).type().shape[1];
    if (blocks.in >= 1 && channels % blocks.in == 0 && blocks.out >= 1 &&
        filters % blocks.out == 0) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        absl::StrCat("node ", node.Label(), ": blocks ", blocks.in, " and ",
                     blocks.out, " do not divide its ", channels,
                     " channels and ", filters, " filters"));
  }

  OptionalNode AddBlocked(Node* node, Attrs attrs,
                          const std::vector<Value>& operands, int64_t block) {
    ASSAY_ASSIGN_OR_RETURN(
        Node * blocked, graph_.AddNode(node->kind(), std::move(attrs), operands,
                                       node->name(), node));
    SetHome(node, block, blocked);
    return blocked;
  }

  absl::StatusOr<Value> TransformWeights(Value weights,
                                         const ConvBlocks& blocks,
                                         Node* before) {
    ASSAY_ASSIGN_OR_RETURN(
        Node * transformed,
        graph_.AddNode(OpKind::kWinogradWeights,
                       WinogradWeightsAttrs{blocks.winograd, blocks.weights},
                       {weights}, "", before));
    return Value{transformed};
  }

  // [O,I,KH,KW] to [O/ob,I/ib,KH,KW,ib/d,ob,d].
  absl::StatusOr<Value> PackDeepWeights(Value weights, const ConvBlocks& blocks,
                                        Node* before) {
    const Shape& s = weights.type().shape;
    if (weights.type().dtype != blocks.weight_type) {
      ASSAY_ASSIGN_OR_RETURN(
          Node * cast,
          graph_.AddNode(OpKind::kCast, CastAttrs{blocks.weight_type},
                         {weights}, "", before));
      weights = {cast};
    }
    ASSAY_ASSIGN_OR_RETURN(
        const Value split,
        Reshaped(weights,
                 {s[0] / blocks.out, blocks.out, s[1] / blocks.in,
                  blocks.in / blocks.depth, blocks.depth, s[2], s[3]},
                 before));
    return Transposed(split, {0, 2, 5, 6, 3, 1, 4}, before);
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
  absl::StatusOr<Value> PackWeights(Value weights, const ConvBlocks& blocks,
                                    Node* before) {
    const Shape& s = weights.type().shape;
    const int64_t in = std::min(blocks.in, s[1]), out = blocks.out;
    if (s[1] % in != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("node ", before->Label(), ": a block of ", blocks.in,
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

  // Operands of the result's shape in blocks, what is one value or one for each
  // channel so that it broadcasts to them.
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
    // Height and width are one: splitting the channels moves no element.
    const Shape shape =
        is_single ? Shape{1}
                  : Shape{before->type().shape[1] / block, 1, 1, block};
    return Reshaped(plain, shape, before);
  }

  Graph& graph_;
  const LayoutPlan& plan_;
  absl::flat_hash_map<Value, Home> home_;
  // By value of the original graph and block.
  absl::flat_hash_map<std::pair<Value, int64_t>, Value> in_block_;
  std::vector<Node*> replaced_;
};

}  // namespace

LayoutCosts FixedLayouts(ChooseConvBlocks choose,
                         ChooseTransposedBlocks choose_transposed) {
  const auto only = [](const std::optional<ConvBlocks>& blocks) {
    return std::vector<ConvCandidate>{{blocks.value_or(ConvBlocks()), 0}};
  };
  LayoutCosts costs;
  costs.conv = [=](const Conv2dAttrs& attrs, const TensorType& data,
                   const TensorType& weights) {
    return only(choose(attrs, data, weights));
  };
  if (choose_transposed != nullptr) {
    costs.transposed = [=](const Conv2dTransposeAttrs& attrs,
                           const TensorType& data, const TensorType& weights) {
      return only(choose_transposed(attrs, data, weights));
    };
  }
  costs.transform = [](const TensorType& image) {
    return static_cast<double>(image.num_bytes());
  };
  return costs;
}

absl::StatusOr<bool> AlterConvLayout::Run(Graph& graph) {
  if (costs_.conv == nullptr) return false;
  const LayoutPlan plan = PlanLayouts(graph, costs_);
  return LayoutRewriter(graph, plan).Run();
}

}  // namespace assay::graph
