#include "compiler/graph/passes/pad_channels.h"

#include <cmath>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/passes/folding_builder.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/check.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

bool IsPaddedType(DType dtype) {
  return dtype == DType::Float32() || dtype == DType::Int(8) ||
         dtype == DType::UInt(8);
}

// A convolution in the plain layout with `groups` groups, or any number of
// groups if that is 0.
template <typename ConvAttrs>
bool IsPaddedConv(const Node& node, int64_t groups) {
  const auto& attrs = node.attrs_as<ConvAttrs>();
  return (groups == 0 || attrs.groups == groups) &&
         IsPaddedType(node.input(0).type().dtype) &&
         ConstantOf(node.input(1)) != nullptr;
}

bool IsTransposed(const Node& node) {
  return node.kind() == OpKind::kConv2dTranspose;
}

// A convolution that sums over all channels of its data.
bool IsDense(const Node& node) {
  if (IsTransposed(node)) return IsPaddedConv<Conv2dTransposeAttrs>(node, 1);
  return node.kind() == OpKind::kConv2d && IsPaddedConv<Conv2dAttrs>(node, 1);
}

bool IsDepthwise(const Node& node) {
  if (node.kind() != OpKind::kConv2d || !IsPaddedConv<Conv2dAttrs>(node, 0)) {
    return false;
  }
  const int64_t groups = node.attrs_as<Conv2dAttrs>().groups;
  return groups > 1 && groups == node.input(0).type().shape[1] &&
         groups == node.type().shape[1];
}

bool IsPool(const Node& node) {
  switch (node.kind()) {
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
      return true;
    case OpKind::kReduceSum:
      return node.attrs_as<ReduceAttrs>().axes == std::vector<int64_t>{2, 3};
    default:
      return false;
  }
}

// The axis of `type`, an operand of an elementwise operator on images, that
// has one index per channel.
int ChannelAxis(const TensorType& type) { return type.rank() - 3; }

// One value per channel of an image with `channels` channels.
bool IsPerChannel(const TensorType& type, int64_t channels) {
  return type.rank() >= 3 && type.num_elements() == channels &&
         type.shape[ChannelAxis(type)] == channels;
}

bool HasOnePixel(const TensorType& image) {
  return image.shape[2] == 1 && image.shape[3] == 1;
}

// A value to which channels can be added without a copy of more than a pixel.
bool IsCheapToPad(Value x) {
  return ConstantOf(x) != nullptr || x.type().rank() != 4 ||
         HasOnePixel(x.type());
}

// An operator that computes each channel from the same channels of its operands
// and has images with equally many channels.
bool KeepsChannels(const Node& node) {
  if (node.num_outputs() != 1 || node.type().rank() != 4) return false;
  if (IsDepthwise(node) || IsPool(node)) return true;
  const PatternKind pattern = OpPattern(node.kind());
  if ((pattern != PatternKind::kElemWise &&
       pattern != PatternKind::kBroadcast) ||
      node.kind() == OpKind::kBroadcastTo) {
    return false;
  }
  bool any = false;
  for (const Value x : node.inputs()) {
    const TensorType& type = x.type();
    if (type.shape == node.type().shape) {
      any = true;
    } else if (type.num_elements() != 1 &&
               !IsPerChannel(type, node.type().shape[1])) {
      return false;
    }
  }
  return any;
}

// True if max and average of equal values are that value whatever the window,
// or if the value is zero.
bool PoolKeepsValue(OpKind pool, Value value) {
  return pool == OpKind::kMaxPool2d || pool == OpKind::kGlobalMaxPool2d ||
         pool == OpKind::kGlobalAvgPool2d || SplatOf(value) == 0.0;
}

// One run of the pass.
class Padder {
 public:
  Padder(Graph& graph, const TargetCosts& costs)
      : graph_(graph), costs_(costs) {}

  absl::StatusOr<bool> Run() {
    bool changed = false;
    const std::vector<Node*> nodes = graph_.Nodes();
    FindCandidates(nodes);
    FindAbsorbed(nodes);
    for (Node* node : nodes) {
      bool widened = false;
      if (IsDense(*node)) {
        ASSAY_ASSIGN_OR_RETURN(widened, WidenConv(node));
      } else if (KeepsChannels(*node)) {
        ASSAY_ASSIGN_OR_RETURN(widened, WidenOperator(node));
      }
      changed = changed || widened;
    }
    if (changed) ASSAY_RETURN_IF_ERROR(DeadCode().Run(graph_).status());
    return changed;
  }

 private:
  // Finds the values of `may_widen_`: operators before those that read them.
  void FindCandidates(const std::vector<Node*>& nodes) {
    for (const Node* node : nodes) {
      bool may = IsDense(*node);
      if (!may && KeepsChannels(*node)) {
        may = true;
        for (const Value x : node->inputs()) {
          may = may && (IsCheapToPad(x) || may_widen_.contains(x.node));
        }
      }
      if (may) may_widen_.insert(node);
    }
  }

  // Finds the values of `absorbed_`: operators after those that they read.
  void FindAbsorbed(const std::vector<Node*>& nodes) {
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
      const Node* node = *it;
      if (!may_widen_.contains(node)) continue;
      bool absorbed = true;
      if (!HasOnePixel(node->type())) {
        absorbed = !graph_.IsOutput(node);
        for (const Use& use : node->users()) {
          absorbed = absorbed && Absorbs(*node, use);
        }
      }
      if (absorbed) absorbed_.insert(node);
    }
  }

  bool Absorbs(const Node& node, const Use& use) const {
    const Node* user = use.user;
    if (IsDense(*user)) return use.operand == 0;
    // The added channels of a float that is computed from integers are unknown.
    return absorbed_.contains(user) &&
           node.type().dtype.is_float() >= user->type().dtype.is_float();
  }

  absl::StatusOr<Value> Pad(Value x, int64_t axis, int64_t extent,
                            Node* before) {
    PadAttrs attrs;
    attrs.before.assign(x.type().rank(), 0);
    attrs.after = attrs.before;
    attrs.after[axis] = extent - x.type().shape[axis];
    CHECK_GE(attrs.after[axis], 0) << before->Label();
    if (attrs.after[axis] == 0) return x;
    return FoldingBuilder(graph_, before).Add(OpKind::kPad, attrs, {x});
  }

  // The image of which `value` is a part, or `value`.
  Value Wide(Value value) const {
    const auto it = wide_.find(value);
    return it == wide_.end() ? value : it->second;
  }

  // Returns true if operand `x` of an operator on images has added channels. A
  // single channel is not one of the operator's if it is broadcast.
  bool IsWide(Value x, const Node* node) const {
    return wide_.contains(x) && x.type().shape[1] == node->type().shape[1];
  }

  // Lets a convolution read all channels of its data and gives it more filters.
  // Returns false if both numbers are right.
  absl::StatusOr<bool> WidenConv(Node* conv) {
    Value weights = conv->input(1);
    const DType dtype = conv->input(0).type().dtype;
    const int filter_axis = IsTransposed(*conv) ? 1 : 0;
    const int64_t filters = weights.type().shape[filter_axis];
    Value data = Wide(conv->input(0));
    if (data == conv->input(0)) {
      ASSAY_ASSIGN_OR_RETURN(
          data, Pad(data, 1, costs_.PaddedChannels(dtype, data.type().shape[1]),
                    conv));
    }
    bool sliced = !absorbed_.contains(conv);
    int64_t wanted = costs_.PaddedFilters(dtype, filters, sliced);
    if (!sliced && wanted > 2 * filters && !HasOnePixel(conv->type())) {
      // Reading the added channels would take longer than removing them.
      sliced = true;
      wanted = costs_.PaddedFilters(dtype, filters, sliced);
    }
    if (data == conv->input(0) && wanted == filters) return false;
    ASSAY_ASSIGN_OR_RETURN(
        weights, Pad(weights, 1 - filter_axis, data.type().shape[1], conv));
    ASSAY_ASSIGN_OR_RETURN(weights, Pad(weights, filter_axis, wanted, conv));
    ASSAY_ASSIGN_OR_RETURN(
        const Value wide,
        Insert(graph_, conv->kind(), conv->attrs(), {data, weights}, conv));
    if (dtype.is_float() && wanted != filters) added_[wide] = Zero(conv);
    // Elementwise operators would take longer on many added channels.
    const bool readable = !sliced || wanted * 4 <= filters * 5;
    ASSAY_RETURN_IF_ERROR(ReplaceBy(conv, wide, readable));
    return true;
  }

  // Applies an operator to images with more channels. Returns false if an
  // operand has none and would have to be copied, or if the added channels
  // might not be finite.
  absl::StatusOr<bool> WidenOperator(Node* node) {
    std::optional<int64_t> channels;
    for (const Value x : node->inputs()) {
      if (!IsWide(x, node)) continue;
      const int64_t wide = Wide(x).type().shape[1];
      if (channels.value_or(wide) != wide) return false;
      channels = wide;
    }
    if (!channels.has_value()) return false;
    for (const Value x : node->inputs()) {
      if (!IsWide(x, node) && !IsCheapToPad(x)) return false;
    }
    std::optional<Value> added;
    if (node->type().dtype.is_float()) {
      ASSAY_ASSIGN_OR_RETURN(added, AddedValue(node));
      if (!added.has_value()) return false;
    }
    std::vector<Value> operands;
    for (const Value x : node->inputs()) {
      Value operand = IsWide(x, node) ? Wide(x) : x;
      const TensorType type = operand.type();
      if (IsDepthwise(*node) && operands.size() == 1) {
        ASSAY_ASSIGN_OR_RETURN(operand, Pad(x, 0, *channels, node));
      } else if (type.num_elements() > 1) {
        ASSAY_ASSIGN_OR_RETURN(
            operand, Pad(operand, ChannelAxis(type), *channels, node));
      }
      operands.push_back(operand);
    }
    Attrs attrs = node->attrs();
    if (IsDepthwise(*node)) std::get<Conv2dAttrs>(attrs).groups = *channels;
    ASSAY_ASSIGN_OR_RETURN(const Value wide,
                           Insert(graph_, node->kind(), attrs, operands, node));
    if (added.has_value()) added_[wide] = *added;
    ASSAY_RETURN_IF_ERROR(ReplaceBy(node, wide, /*readable=*/true));
    return true;
  }

  // A constant image with one element, the value of all elements of the added
  // channels of the result of `node`, which is of a float type. Returns nullopt
  // if it is not finite or not known.
  absl::StatusOr<std::optional<Value>> AddedValue(Node* node) {
    if (IsDepthwise(*node)) return Zero(node);
    std::vector<Value> operands;
    for (const Value x : node->inputs()) {
      if (IsWide(x, node)) {
        const auto added = added_.find(Wide(x));
        if (added == added_.end()) return std::nullopt;
        operands.push_back(added->second);
      } else if (x.type().num_elements() == 1) {
        if (ConstantOf(x) == nullptr) return std::nullopt;
        operands.push_back(x);
      } else if (x.type().dtype == DType::Float32()) {
        operands.push_back(Zero(node));  // padded
      } else {
        return std::nullopt;
      }
    }
    if (IsPool(*node)) {
      if (!PoolKeepsValue(node->kind(), operands[0])) return std::nullopt;
      return operands[0];
    }
    ASSAY_ASSIGN_OR_RETURN(const Value value,
                           FoldingBuilder(graph_, node)
                               .Add(node->kind(), node->attrs(), operands));
    const std::optional<double> element = SplatOf(value);
    if (!element.has_value() || !std::isfinite(*element)) return std::nullopt;
    return value;
  }

  Value Zero(Node* before) {
    return FoldingBuilder(graph_, before)
        .Constant(NDArray::FromVector<float>({1, 1, 1, 1}, {0}));
  }

  // Replaces the result of `node` by the first channels of `wide`. If
  // `readable` is true, operators that use it may read the added channels, too.
  absl::Status ReplaceBy(Node* node, Value wide, bool readable) {
    Value part = wide;
    if (wide.type() != node->type()) {
      const int64_t rank = wide.type().rank();
      SliceAttrs attrs;
      attrs.begins.assign(rank, 0);
      attrs.steps.assign(rank, 1);
      attrs.sizes = node->type().shape;
      ASSAY_ASSIGN_OR_RETURN(
          part, Insert(graph_, OpKind::kSlice, attrs, {wide}, node));
      if (readable) wide_[part] = wide;
    }
    graph_.MergeSources(wide.node, node);
    graph_.SetSources(part.node, wide.node->sources());
    graph_.ReplaceAllUses({node}, part);
    return absl::OkStatus();
  }

  Graph& graph_;
  const TargetCosts& costs_;
  // Maps a slice to the image whose first channels it has.
  absl::flat_hash_map<Value, Value> wide_;
  // Maps an image of `wide_` of a float type to the value of its added
  // channels, a constant with one element.
  absl::flat_hash_map<Value, Value> added_;
  // Operators whose results can have added channels, as far as their operands
  // tell.
  absl::flat_hash_set<const Node*> may_widen_;
  // Those of them for which no copy of more than a pixel removes the channels
  // again: convolutions read the result after operators that keep the channels,
  // and nothing else does.
  absl::flat_hash_set<const Node*> absorbed_;
};

}  // namespace

absl::StatusOr<bool> PadChannels::Run(Graph& graph) {
  return Padder(graph, costs_).Run();
}

}  // namespace assay::graph
