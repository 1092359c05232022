#include "compiler/graph/passes/layout_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/graph/passes/pbqp.h"

namespace assay::graph {
namespace {

bool IsImage(const TensorType& type) { return type.rank() == 4; }

// Returns true for the shapes [C,1,1] and [1,C,1,1] and for one element, which
// can be converted to blocks at no cost.
bool IsPerChannelOrSingle(const TensorType& type, const TensorType& result) {
  const int64_t channels = result.shape[1];
  return type.num_elements() == 1 || type.shape == Shape{channels, 1, 1} ||
         type.shape == Shape{1, channels, 1, 1};
}

// The operands that must have the layout of the node. The others are small and
// available in every layout.
std::vector<Value> ImagesOf(const Node& node) {
  if (node.kind() == OpKind::kConcat) {
    return {node.inputs().begin(), node.inputs().end()};
  }
  if (!IsBinary(node.kind())) return {node.input(0)};
  std::vector<Value> images;
  for (const Value operand : node.inputs()) {
    if (operand.type().shape == node.type().shape) images.push_back(operand);
  }
  return images;
}

bool IsFlexibleBinary(const Node& node) {
  if (!IsImage(node.type())) return false;
  for (const Value operand : node.inputs()) {
    if (operand.type().shape != node.type().shape &&
        !IsPerChannelOrSingle(operand.type(), node.type())) {
      return false;
    }
  }
  return !ImagesOf(node).empty();
}

// Returns true if the operator can work on blocked images.
bool IsFlexible(const Node& node) {
  if (node.num_inputs() == 0 || !IsImage(node.input(0).type())) {
    return IsBinary(node.kind()) && IsFlexibleBinary(node);
  }
  switch (node.kind()) {
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
      return node.attrs_as<Pool2dAttrs>().block == 0;
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
      return node.attrs_as<GlobalPool2dAttrs>().block == 0;
    case OpKind::kSlice:
      return node.attrs_as<SliceAttrs>().steps[1] == 1;
    case OpKind::kQuantize:
    case OpKind::kDequantize:
    case OpKind::kRequantize:
      return node.input(1).type().num_elements() == 1 &&
             node.input(2).type().num_elements() == 1;
    case OpKind::kConcat:
    case OpKind::kCast:
      return true;
    default:
      return IsUnary(node.kind()) ||
             (IsBinary(node.kind()) && IsFlexibleBinary(node));
  }
}

// Returns true if `block` divides the channels of all images of the node.
bool Fits(const Node& node, int64_t block) {
  for (const Value image : ImagesOf(node)) {
    if (image.type().shape[1] % block != 0) return false;
  }
  if (node.kind() == OpKind::kSlice &&
      node.attrs_as<SliceAttrs>().begins[1] % block != 0) {
    return false;
  }
  return node.type().shape[1] % block == 0;
}

class Planner {
 public:
  Planner(const Graph& graph, const LayoutCosts& costs)
      : graph_(graph), costs_(costs), nodes_(graph.Nodes()) {}

  LayoutPlan Run() {
    FindCandidates();
    if (blocks_.empty()) return {};
    for (size_t i = 0; i < nodes_.size(); ++i) AddNode(nodes_[i], i);
    for (const Output& output : graph_.outputs()) {
      AddPlainUse(output.value, nodes_.size());
    }
    const std::vector<int> choices = problem_.Solve();
    LayoutPlan plan;
    for (const auto& [node, variable] : variables_) {
      const ConvLayout& layout =
          variable.choices[choices[variable.index]].layout;
      if (layout.out_block != 0) plan[node] = layout;
    }
    return plan;
  }

 private:
  struct Variable {
    int index = 0;
    std::vector<ConvCandidate> choices;
  };

  std::vector<ConvCandidate> CandidatesFor(const Node& node) const {
    if (node.num_inputs() < 2 ||
        node.input(1).node->kind() != OpKind::kConstant) {
      return {};
    }
    const TensorType &data = node.input(0).type(),
                     &weights = node.input(1).type();
    if (node.kind() == OpKind::kConv2d &&
        node.attrs_as<Conv2dAttrs>().in_block == 0) {
      return costs_.conv(node.attrs_as<Conv2dAttrs>(), data, weights);
    }
    if (node.kind() == OpKind::kConv2dTranspose &&
        costs_.transposed != nullptr &&
        node.attrs_as<Conv2dTransposeAttrs>().in_block == 0) {
      return costs_.transposed(node.attrs_as<Conv2dTransposeAttrs>(), data,
                               weights);
    }
    return {};
  }

  void FindCandidates() {
    for (const Node* node : nodes_) {
      std::vector<ConvCandidate> candidates = CandidatesFor(*node);
      for (const ConvCandidate& candidate : candidates) {
        if (candidate.layout.out_block == 0) continue;
        blocks_.insert(candidate.layout.in_block);
        blocks_.insert(candidate.layout.out_block);
      }
      if (!candidates.empty()) convs_[node] = std::move(candidates);
    }
  }

  // `position` is the index of the node; it breaks ties between places of equal
  // cost.
  void AddNode(const Node* node, size_t position) {
    std::vector<ConvCandidate> choices;
    const auto conv = convs_.find(node);
    if (conv != convs_.end()) {
      choices = conv->second;
    } else if (IsFlexible(*node)) {
      choices.push_back({});
      for (const int64_t block : blocks_) {
        if (Fits(*node, block)) choices.push_back({{block, block}, 0});
      }
    } else {
      for (const Value operand : node->inputs()) {
        AddPlainUse(operand, position);
      }
      return;
    }
    Variable variable;
    std::vector<double> seconds;
    for (const ConvCandidate& choice : choices) {
      seconds.push_back(choice.seconds);
    }
    variable.index = problem_.AddVariable(seconds);
    variable.choices = std::move(choices);
    const auto images = conv != convs_.end()
                            ? std::vector<Value>{node->input(0)}
                            : ImagesOf(*node);
    for (const Value image : images) AddUse(variable, image, position);
    for (const Value operand : node->inputs()) {
      if (std::find(images.begin(), images.end(), operand) == images.end()) {
        AddPlainUse(operand, position);
      }
    }
    variables_[node] = std::move(variable);
  }

  double Seconds(Value image, size_t position) const {
    const Shape& shape = image.type().shape;
    // A constant is converted at compile time. An image of one pixel has the
    // same bytes in every layout; its small cost avoids needless conversions.
    constexpr double kOfOnePixel = 0.01;
    if (image.node->kind() == OpKind::kConstant) return 0;
    const double late =
        static_cast<double>(nodes_.size() - position) / nodes_.size();
    return costs_.transform(image.type()) * (1 + 1e-6 * late) *
           (shape[2] * shape[3] == 1 ? kOfOnePixel : 1);
  }

  void AddUse(const Variable& user, Value image, size_t position) {
    const double seconds = Seconds(image, position);
    const auto producer = variables_.find(image.node);
    if (producer == variables_.end()) {
      std::vector<double> costs;
      for (const ConvCandidate& choice : user.choices) {
        costs.push_back(choice.layout.in_block == 0 ? 0 : seconds);
      }
      problem_.AddCosts(user.index, costs);
      return;
    }
    PbqpProblem::Matrix costs;
    for (const ConvCandidate& from : producer->second.choices) {
      costs.emplace_back();
      for (const ConvCandidate& to : user.choices) {
        costs.back().push_back(
            from.layout.out_block == to.layout.in_block ? 0 : seconds);
      }
    }
    problem_.AddPair(producer->second.index, user.index, costs);
  }

  void AddPlainUse(Value value, size_t position) {
    const auto producer = variables_.find(value.node);
    if (producer == variables_.end()) return;
    const double seconds = Seconds(value, position);
    std::vector<double> costs;
    for (const ConvCandidate& from : producer->second.choices) {
      costs.push_back(from.layout.out_block == 0 ? 0 : seconds);
    }
    problem_.AddCosts(producer->second.index, costs);
  }

  const Graph& graph_;
  const LayoutCosts& costs_;
  const std::vector<Node*> nodes_;
  absl::flat_hash_map<const Node*, std::vector<ConvCandidate>> convs_;
  std::set<int64_t> blocks_;
  PbqpProblem problem_;
  absl::flat_hash_map<const Node*, Variable> variables_;
};

}  // namespace

LayoutPlan PlanLayouts(const Graph& graph, const LayoutCosts& costs) {
  return Planner(graph, costs).Run();
}

}  // namespace assay::graph
