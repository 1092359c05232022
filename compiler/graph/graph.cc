#include "compiler/graph/graph.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/digest.h"
#include "compiler/graph/infer/infer_types.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// The types of a kernel are those of its body.
absl::StatusOr<std::vector<TensorType>> KernelTypes(
    const KernelAttrs& attrs, absl::Span<const TensorType> inputs) {
  if (attrs.body == nullptr) {
    return absl::InvalidArgumentError("the kernel has no body");
  }
  const Graph& body = *attrs.body;
  if (inputs.size() != body.inputs().size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the kernel has ", inputs.size(), " operands but `",
                     body.name(), "` takes ", body.inputs().size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (body.inputs()[i]->type() != inputs[i]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "operand ", i, " is ", inputs[i].ToString(), " but `", body.name(),
          "` takes ", body.inputs()[i]->type().ToString()));
    }
  }
  if (body.outputs().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", body.name(), "` has no result"));
  }
  std::vector<TensorType> types;
  for (const Output& output : body.outputs()) {
    types.push_back(output.value.type());
  }
  return types;
}

}  // namespace

Node::Node() = default;
Node::~Node() = default;

std::string Node::Label() const {
  if (!name_.empty()) {
    return absl::StrCat("`", name_, "` (", OpName(kind_), ")");
  }
  return absl::StrCat("`%", id_, "` (", OpName(kind_), ")");
}

Graph::Graph(absl::string_view name) : name_(name) {}
Graph::~Graph() = default;

Node* Graph::NewNode(OpKind kind, Attrs attrs, absl::Span<const Value> inputs,
                     absl::string_view name, std::vector<TensorType> types,
                     Node* before) {
  std::unique_ptr<Node> owned(new Node());
  Node* node = owned.get();
  node->id_ = next_id_++;
  node->kind_ = kind;
  node->attrs_ = std::move(attrs);
  node->name_ = std::string(name);
  if (!name.empty()) node->sources_.push_back(node->name_);
  node->inputs_.assign(inputs.begin(), inputs.end());
  node->types_ = std::move(types);
  for (int i = 0; i < node->num_inputs(); ++i) {
    node->inputs_[i].node->users_.push_back({node, i});
  }
  node->position_ = nodes_.insert(
      before == nullptr ? nodes_.end() : before->position_, std::move(owned));
  return node;
}

absl::StatusOr<Node*> Graph::AddInput(absl::string_view name, TensorType type) {
  if (name.empty()) {
    return absl::InvalidArgumentError("a graph input has no name");
  }
  for (const Node* input : inputs_) {
    if (input->name() == name) {
      return absl::InvalidArgumentError(
          absl::StrCat("two graph inputs are named `", name, "`"));
    }
  }
  if (const auto n = CheckedNumElements(type.shape); !n.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("graph input `", name, "`: ", n.status().message()));
  }
  Node* node =
      NewNode(OpKind::kInput, NoAttrs(), {}, name, {std::move(type)}, nullptr);
  inputs_.push_back(node);
  return node;
}

Node* Graph::AddConstant(NDArray value, absl::string_view name, Node* before) {
  TensorType type{value.dtype(), value.shape()};
  ConstantAttrs attrs;
  attrs.digest = DigestOf(value);
  attrs.value = std::move(value);
  return NewNode(OpKind::kConstant, std::move(attrs), {}, name,
                 {std::move(type)}, before);
}

absl::StatusOr<Node*> Graph::AddNode(OpKind kind, Attrs attrs,
                                     absl::Span<const Value> inputs,
                                     absl::string_view name, Node* before) {
  CHECK(kind != OpKind::kInput && kind != OpKind::kConstant) << kind;
  CHECK(AttrsMatchOp(kind, attrs)) << kind;
  std::vector<TensorType> input_types;
  for (Value input : inputs) {
    CHECK(input.node != nullptr && input.index < input.node->num_outputs())
        << "operand of `" << std::string(name) << "` (" << kind << ")";
    input_types.push_back(input.type());
  }
  absl::StatusOr<std::vector<TensorType>> types =
      kind == OpKind::kKernel
          ? KernelTypes(std::get<KernelAttrs>(attrs), input_types)
          : InferTypes(kind, attrs, input_types);
  if (!types.ok()) {
    const std::string shown =
        name.empty() ? absl::StrCat("%", next_id_) : std::string(name);
    return absl::Status(types.status().code(),
                        absl::StrCat("node `", shown, "` (", OpName(kind),
                                     "): ", types.status().message()));
  }
  return NewNode(kind, std::move(attrs), inputs, name, *std::move(types),
                 before);
}

Node* Graph::AddCopy(const Node& node, absl::Span<const Value> inputs) {
  CHECK(node.kind() != OpKind::kInput) << node.Label();
  CHECK_EQ(static_cast<int>(inputs.size()), node.num_inputs()) << node.Label();
  for (int i = 0; i < node.num_inputs(); ++i) {
    CHECK(inputs[static_cast<size_t>(i)].type() == node.input(i).type())
        << node.Label() << ", operand " << i;
  }
  Node* copy = NewNode(node.kind(), node.attrs(), inputs, node.name(),
                       node.types(), nullptr);
  copy->sources_ = node.sources();
  return copy;
}

absl::Status Graph::SetEncoding(Node* node, const Encoding& encoding) {
  CHECK(node->num_outputs() == 1 && node->kind() != OpKind::kKernel)
      << node->Label();
  TensorType& type = node->types_[0];
  const auto stored = StoredType(encoding, {type.dtype, type.shape});
  if (!stored.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("node ", node->Label(), ": ", stored.status().message()));
  }
  type.encoding = encoding;
  return absl::OkStatus();
}

void Graph::AddOutput(absl::string_view name, Value value) {
  CHECK(value.node != nullptr && value.index < value.node->num_outputs());
  CHECK(outputs_.empty() || !outputs_.back().is_extent);
  outputs_.push_back({std::string(name), value});
}

void Graph::BoundOutput(int output, int axis, Value extent) {
  Output& bounded = outputs_[output];
  CHECK(!bounded.is_extent && !bounded.is_bounded());
  bounded.axis = axis;
  bounded.extent = static_cast<int>(outputs_.size());
  outputs_.push_back({"", extent, -1, -1, true});
}

absl::Span<const Output> Graph::data_outputs() const {
  size_t count = outputs_.size();
  while (count > 0 && outputs_[count - 1].is_extent) --count;
  return absl::MakeConstSpan(outputs_).subspan(0, count);
}

bool Graph::IsOutput(const Node* node) const {
  return std::any_of(
      outputs_.begin(), outputs_.end(),
      [&](const Output& output) { return output.value.node == node; });
}

std::vector<Node*> Graph::Nodes() const {
  std::vector<Node*> nodes;
  nodes.reserve(nodes_.size());
  for (const auto& node : nodes_) nodes.push_back(node.get());
  return nodes;
}

void Graph::RemoveUse(Value value, const Node* user, int operand) {
  std::vector<Use>& uses = value.node->users_;
  const auto it = std::find_if(uses.begin(), uses.end(), [&](const Use& use) {
    return use.user == user && use.operand == operand;
  });
  CHECK(it != uses.end()) << "use lists of " << user->Label();
  uses.erase(it);
}

void Graph::ReplaceInput(Node* user, int operand, Value to) {
  Value& input = user->inputs_[operand];
  CHECK(input.type().plain() == to.type().plain())
      << user->Label() << ": " << input.type() << " against " << to.type();
  RemoveUse(input, user, operand);
  input = to;
  to.node->users_.push_back({user, operand});
}

void Graph::ReplaceOutput(int output, Value to) {
  Value& value = outputs_[output].value;
  CHECK(value.type().plain() == to.type().plain())
      << "output " << output << ": " << value.type() << " against "
      << to.type();
  value = to;
}

void Graph::ReplaceAllUses(Value from, Value to) {
  if (from == to) return;
  CHECK(from.type() == to.type())
      << from.node->Label() << ": " << from.type() << " against " << to.type();
  std::vector<Use> kept;
  std::vector<Use> moved;
  for (const Use& use : from.node->users_) {
    Value& input = use.user->inputs_[use.operand];
    (input == from ? moved : kept).push_back(use);
  }
  from.node->users_ = std::move(kept);
  for (const Use& use : moved) {
    use.user->inputs_[use.operand] = to;
    to.node->users_.push_back(use);
  }
  for (Output& output : outputs_) {
    if (output.value == from) output.value = to;
  }
}

void Graph::Erase(Node* node) {
  CHECK(node->users_.empty()) << node->Label();
  CHECK(!IsOutput(node)) << node->Label();
  for (int i = 0; i < node->num_inputs(); ++i) {
    RemoveUse(node->inputs_[i], node, i);
  }
  if (node->kind_ == OpKind::kInput) {
    inputs_.erase(std::find(inputs_.begin(), inputs_.end(), node));
  }
  nodes_.erase(node->position_);
}

void Graph::MergeSources(Node* to, const Node* from) {
  if (to->name_.empty()) to->name_ = from->name_;
  // A set, because a folded constant may have thousands of sources.
  absl::flat_hash_set<std::string> present(to->sources_.begin(),
                                           to->sources_.end());
  for (const std::string& source : from->sources_) {
    if (present.insert(source).second) to->sources_.push_back(source);
  }
}

void Graph::SetSources(Node* node, std::vector<std::string> sources) {
  node->sources_ = std::move(sources);
}

absl::Status Graph::SortTopologically() {
  // Depth-first from each node in list order, with an explicit stack because
  // graphs from files may be arbitrarily deep.
  enum class State : char { kOpen, kDone };
  absl::flat_hash_map<const Node*, State> state;
  std::vector<Node*> sorted;
  std::vector<std::pair<Node*, int>> stack;  // node, next operand to visit
  for (const auto& start : nodes_) {
    if (state.contains(start.get())) continue;
    state[start.get()] = State::kOpen;
    stack.push_back({start.get(), 0});
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == node->num_inputs()) {
        state[node] = State::kDone;
        sorted.push_back(node);
        stack.pop_back();
        continue;
      }
      Node* operand = node->inputs_[next++].node;
      const auto [it, fresh] = state.insert({operand, State::kOpen});
      if (fresh) {
        stack.push_back({operand, 0});
      } else if (it->second == State::kOpen) {
        return absl::InvalidArgumentError(
            absl::StrCat("node ", operand->Label(), " depends on itself"));
      }
    }
  }
  for (Node* node : sorted) {
    nodes_.splice(nodes_.end(), nodes_, node->position_);
  }
  return absl::OkStatus();
}

std::unique_ptr<Graph> Graph::Clone() const {
  auto copy = std::make_unique<Graph>(name_);
  absl::flat_hash_map<const Node*, Node*> map;
  for (const auto& node : nodes_) {
    std::vector<Value> inputs;
    for (Value input : node->inputs_) {
      const auto it = map.find(input.node);
      CHECK(it != map.end()) << "order of " << node->Label();
      inputs.push_back({it->second, input.index});
    }
    copy->next_id_ = node->id_;
    Node* twin = copy->NewNode(node->kind_, node->attrs_, inputs, node->name_,
                               node->types_, nullptr);
    twin->sources_ = node->sources_;
    map[node.get()] = twin;
  }
  for (const Node* input : inputs_) copy->inputs_.push_back(map.at(input));
  for (const Output& output : outputs_) {
    Output twin = output;
    twin.value.node = map.at(output.value.node);
    copy->outputs_.push_back(std::move(twin));
  }
  copy->next_id_ = next_id_;
  return copy;
}

}  // namespace assay::graph
