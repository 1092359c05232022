#include "compiler/graph/passes/encoding_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/passes/pbqp.h"

namespace assay::graph {
namespace {

bool IsImage(const TensorType& type) { return type.rank() == 4; }

// The operands that must be stored like the result. The others are small and
// stay plain.
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
        !IsPerChannelOrSingle(operand.type(), node.type().shape[1])) {
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
    case OpKind::kSlice:
      return node.attrs_as<SliceAttrs>().steps[1] == 1;
    case OpKind::kQuantize:
    case OpKind::kDequantize:
    case OpKind::kRequantize:
      return node.input(1).type().num_elements() == 1 &&
             node.input(2).type().num_elements() == 1;
    case OpKind::kConcat:
    case OpKind::kCast:
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
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

// An operator all of whose images are stored in this way.
EncodingChoice Everywhere(const Node& node, const Encoding& encoding) {
  const std::vector<Value> images = ImagesOf(node);
  EncodingChoice choice;
  for (const Value operand : node.inputs()) {
    const bool is_image =
        std::find(images.begin(), images.end(), operand) != images.end();
    choice.operands.push_back(is_image ? encoding : Plain());
  }
  choice.result = encoding;
  return choice;
}

// Operators whose second operand may be stored in a way that suits them alone.
bool HasWeights(OpKind kind) {
  return kind == OpKind::kConv2d || kind == OpKind::kConv2dTranspose ||
         kind == OpKind::kDense || kind == OpKind::kMatmul;
}

bool AllPlain(const EncodingChoice& choice) {
  return IsPlain(choice.result) &&
         std::all_of(choice.operands.begin(), choice.operands.end(), IsPlain);
}

class Planner {
 public:
  Planner(const Graph& graph, const TargetCosts& costs)
      : graph_(graph), costs_(costs), nodes_(graph.Nodes()) {}

  EncodingPlan Run() {
    FindChoices();
    if (own_choices_.empty()) return {};
    for (size_t i = 0; i < nodes_.size(); ++i) AddNode(nodes_[i], i);
    for (const Output& output : graph_.outputs()) {
      AddPlainUse(output.value, nodes_.size());
    }
    const std::vector<int> chosen = problem_.Solve();
    EncodingPlan plan;
    for (const auto& [node, variable] : variables_) {
      const EncodingChoice& choice = variable.choices[chosen[variable.index]];
      if (!AllPlain(choice)) plan[node] = choice;
    }
    return plan;
  }

 private:
  struct Variable {
    int index = 0;
    std::vector<EncodingChoice> choices;
  };

  std::vector<EncodingChoice> ChoicesFor(const Node& node) const {
    if (!HasWeights(node.kind()) ||
        node.input(1).node->kind() != OpKind::kConstant ||
        !IsPlain(node.type().encoding) ||
        !IsPlain(node.input(1).type().encoding)) {
      return {};
    }
    std::vector<TensorType> operands;
    for (const Value operand : node.inputs())
      operands.push_back(operand.type());
    return costs_.Choices(node.kind(), node.attrs(), operands);
  }

  void AddBlocks(const Encoding& encoding) {
    const auto* blocks = std::get_if<ChannelBlocks>(&encoding);
    if (blocks != nullptr) blocks_.insert(blocks->block);
  }

  void FindChoices() {
    for (const Node* node : nodes_) {
      std::vector<EncodingChoice> choices = ChoicesFor(*node);
      for (const EncodingChoice& choice : choices) {
        AddBlocks(choice.operands[0]);
        AddBlocks(choice.result);
      }
      if (!choices.empty()) own_choices_[node] = std::move(choices);
    }
  }

  // `position` is the index of the node; it breaks ties between places of equal
  // cost.
  void AddNode(const Node* node, size_t position) {
    std::vector<EncodingChoice> choices;
    const auto own = own_choices_.find(node);
    if (own != own_choices_.end()) {
      choices = own->second;
    } else if (IsFlexible(*node)) {
      choices.push_back(Everywhere(*node, Plain()));
      for (const int64_t block : blocks_) {
        if (Fits(*node, block)) {
          choices.push_back(Everywhere(*node, ChannelBlocks{block}));
        }
      }
    } else {
      for (const Value operand : node->inputs()) {
        AddPlainUse(operand, position);
      }
      return;
    }
    Variable variable;
    std::vector<double> seconds;
    for (const EncodingChoice& choice : choices) {
      seconds.push_back(choice.seconds);
    }
    variable.index = problem_.AddVariable(seconds);
    variable.choices = std::move(choices);
    const auto images = own != own_choices_.end()
                            ? std::vector<Value>{node->input(0)}
                            : ImagesOf(*node);
    for (int i = 0; i < node->num_inputs(); ++i) {
      const Value operand = node->input(i);
      if (std::find(images.begin(), images.end(), operand) != images.end()) {
        AddUse(variable, i, operand, position);
      } else {
        AddPlainUse(operand, position);
      }
    }
    variables_[node] = std::move(variable);
  }

  double Seconds(Value image, size_t position) const {
    const Shape& shape = image.type().shape;
    // A constant is converted at compile time. An image of one pixel has the
    // same bytes in all blocks; its small cost avoids needless conversions.
    constexpr double kOfOnePixel = 0.01;
    if (image.node->kind() == OpKind::kConstant) return 0;
    const double late =
        static_cast<double>(nodes_.size() - position) / nodes_.size();
    return costs_.ConversionSeconds(image.type()) * (1 + 1e-6 * late) *
           (IsImage(image.type()) && shape[2] * shape[3] == 1 ? kOfOnePixel
                                                              : 1);
  }

  // Adds the cost of `image` as operand `operand` of `user`.
  void AddUse(const Variable& user, int operand, Value image, size_t position) {
    const double seconds = Seconds(image, position);
    const auto wanted = [operand](const EncodingChoice& choice) {
      return choice.operands[static_cast<size_t>(operand)];
    };
    const auto producer = variables_.find(image.node);
    if (producer == variables_.end()) {
      std::vector<double> costs;
      for (const EncodingChoice& choice : user.choices) {
        costs.push_back(IsPlain(wanted(choice)) ? 0 : seconds);
      }
      problem_.AddCosts(user.index, costs);
      return;
    }
    PbqpProblem::Matrix costs;
    for (const EncodingChoice& from : producer->second.choices) {
      costs.emplace_back();
      for (const EncodingChoice& to : user.choices) {
        costs.back().push_back(from.result == wanted(to) ? 0 : seconds);
      }
    }
    problem_.AddPair(producer->second.index, user.index, costs);
  }

  void AddPlainUse(Value value, size_t position) {
    const auto producer = variables_.find(value.node);
    if (producer == variables_.end()) return;
    const double seconds = Seconds(value, position);
    std::vector<double> costs;
    for (const EncodingChoice& from : producer->second.choices) {
      costs.push_back(IsPlain(from.result) ? 0 : seconds);
    }
    problem_.AddCosts(producer->second.index, costs);
  }

  const Graph& graph_;
  const TargetCosts& costs_;
  const std::vector<Node*> nodes_;
  absl::flat_hash_map<const Node*, std::vector<EncodingChoice>> own_choices_;
  std::set<int64_t> blocks_;
  PbqpProblem problem_;
  absl::flat_hash_map<const Node*, Variable> variables_;
};

}  // namespace

EncodingPlan PlanEncodings(const Graph& graph, const TargetCosts& costs) {
  return Planner(graph, costs).Run();
}

}  // namespace assay::graph
