#include "compiler/frontend/onnx/model_checks.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "compiler/frontend/onnx/functions.h"
#include "compiler/frontend/onnx/operators/operator_definitions.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/unknown_fields.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// Fields of later versions of the format that are read (unknown_fields.h) or
// have no meaning for the results: the metadata_props of each message, the
// types that a function declares, and how the model is divided among devices.
using Fields = std::initializer_list<int>;
constexpr Fields kOfModels = {26};
constexpr Fields kOfGraphs = {16};
constexpr Fields kOfNodes = {kNodeOverload, 9, 10};
constexpr Fields kOfTensors = {16};
constexpr Fields kOfValues = {4};
constexpr Fields kOfFunctions = {kFunctionAttributeDefault, 12,
                                 kFunctionOverload, 14};

// The names of fields that are not supported.
absl::string_view FieldName(absl::string_view type, int number) {
  if (type == "TypeProto" && number == 7) return "opaque_type";
  return "";
}

// Finds fields that the importer would silently ignore, also in bodies and
// functions: unknown fields, and fields of graphs that are not supported. The
// messages have no reflection, and so each message type is checked explicitly.
class FieldChecker {
 public:
  absl::Status Run(const onnx::ModelProto& model) {
    Check(model, "ModelProto", kOfModels);
    CheckOpsets(model.opset_import());
    CheckGraph(model.graph());
    for (const onnx::FunctionProto& function : model.functions()) {
      Check(function, "FunctionProto", kOfFunctions);
      CheckOpsets(function.opset_import());
      for (const auto& attribute : AttributeDefaults(function)) {
        CheckAttribute(attribute);
      }
      CheckNodes(function.node());
    }
    return status_;
  }

 private:
  template <typename Message>
  using Repeated = google::protobuf::RepeatedPtrField<Message>;

  template <typename Message>
  void Check(const Message& message, absl::string_view type, Fields harmless) {
    if (message.unknown_fields().empty()) return;
    for (const UnknownField& field :
         DecodeUnknownFields(message.unknown_fields())) {
      if (std::find(harmless.begin(), harmless.end(), field.number) !=
          harmless.end()) {
        continue;
      }
      const absl::string_view name = FieldName(type, field.number);
      status_.Update(
          name.empty() ? Unsupported("a ", type, " has field number ",
                                     field.number, ", which format version ",
                                     kMaxIrVersion, " does not define")
                       : Unsupported("a ", type, " has the field ", Quote(name),
                                     ", which is not supported"));
      return;
    }
  }

  void CheckOpsets(const Repeated<onnx::OperatorSetIdProto>& opsets) {
    for (const auto& opset : opsets) Check(opset, "OperatorSetIdProto", {});
  }

  void CheckTensor(const onnx::TensorProto& tensor) {
    Check(tensor, "TensorProto", kOfTensors);
    for (const auto& entry : tensor.external_data()) {
      Check(entry, "StringStringEntryProto", {});
    }
  }

  void CheckValues(const Repeated<onnx::ValueInfoProto>& values) {
    for (const onnx::ValueInfoProto& value : values) {
      Check(value, "ValueInfoProto", kOfValues);
      CheckType(value.type());
    }
  }

  // The depth of the recursion is limited by that of the parser.
  void CheckType(const onnx::TypeProto& type) {
    const onnx::TypeProto::Tensor& tensor = type.tensor_type();
    Check(type, "TypeProto", {});
    Check(tensor, "TypeProto.Tensor", {});
    Check(tensor.shape(), "TensorShapeProto", {});
    for (const auto& dim : tensor.shape().dim()) {
      Check(dim, "TensorShapeProto.Dimension", {});
    }
    if (type.has_sequence_type()) {
      Check(type.sequence_type(), "TypeProto.Sequence", {});
      CheckType(type.sequence_type().elem_type());
    }
    if (type.has_optional_type()) {
      Check(type.optional_type(), "TypeProto.Optional", {});
      CheckType(type.optional_type().elem_type());
    }
  }

  void CheckGraph(const onnx::GraphProto& graph) {
    Check(graph, "GraphProto", kOfGraphs);
    CheckValues(graph.input());
    CheckValues(graph.output());
    CheckValues(graph.value_info());
    for (const auto& tensor : graph.initializer()) CheckTensor(tensor);
    if (graph.sparse_initializer_size() > 0) {
      status_.Update(Unsupported(
          "the graph has sparse initializers, which are not supported"));
    }
    if (graph.quantization_annotation_size() > 0) {
      status_.Update(Unsupported(
          "the graph has quantization annotations, which are not supported"));
    }
    CheckNodes(graph.node());
  }

  void CheckNodes(const Repeated<onnx::NodeProto>& nodes) {
    for (const onnx::NodeProto& node : nodes) {
      Check(node, "NodeProto", kOfNodes);
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        CheckAttribute(attribute);
      }
    }
  }

  void CheckAttribute(const onnx::AttributeProto& attribute) {
    Check(attribute, "AttributeProto", {});
    CheckTensor(attribute.t());
    CheckType(attribute.tp());
    if (attribute.has_g()) CheckGraph(attribute.g());
  }

  // The first error.
  absl::Status status_;
};

// Returns true if a node, or a node of a body, belongs to `ai.onnx`.
bool HasOnnxNode(
    const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
  return std::any_of(
      nodes.begin(), nodes.end(), [](const onnx::NodeProto& node) {
        const auto& attributes = node.attribute();
        return SameDomain(node.domain(), "") ||
               std::any_of(attributes.begin(), attributes.end(),
                           [](const onnx::AttributeProto& attribute) {
                             return attribute.has_g() &&
                                    HasOnnxNode(attribute.g().node());
                           });
      });
}

// Returns true if the nodes of `model` need an opset of `ai.onnx`. A function
// can import its own.
bool NeedsOpset(const onnx::ModelProto& model) {
  if (model.opset_import().empty() || HasOnnxNode(model.graph().node())) {
    return true;
  }
  const auto& functions = model.functions();
  return std::any_of(functions.begin(), functions.end(),
                     [](const onnx::FunctionProto& function) {
                       const auto& opsets = function.opset_import();
                       return HasOnnxNode(function.node()) &&
                              std::none_of(
                                  opsets.begin(), opsets.end(),
                                  [](const onnx::OperatorSetIdProto& opset) {
                                    return SameDomain(opset.domain(), "");
                                  });
                     });
}

absl::StatusOr<int> ReadOpset(const onnx::ModelProto& model) {
  const onnx::OperatorSetIdProto* found = nullptr;
  for (const onnx::OperatorSetIdProto& opset : model.opset_import()) {
    if (!SameDomain(opset.domain(), "")) continue;
    if (found != nullptr && found->version() != opset.version()) {
      return Malformed("the model imports two opsets of `ai.onnx`, ",
                       found->version(), " and ", opset.version());
    }
    found = &opset;
  }
  if (found == nullptr) {
    if (!NeedsOpset(model)) return kMaxOpset;
    return Malformed("the model imports no opset of `ai.onnx`");
  }
  if (found->version() < kMinOpset || found->version() > kMaxOpset) {
    return Unsupported("opset ", found->version(), " is not supported; opsets ",
                       kMinOpset, " to ", kMaxOpset, " are");
  }
  return static_cast<int>(found->version());
}

// Searches the operands of `start`, an operand of the node, for the node's own
// results.
bool DependsOn(const onnx::GraphProto& graph,
               const absl::flat_hash_map<std::string, int>& producers,
               int start, int target) {
  std::vector<bool> seen(graph.node_size(), false);
  std::vector<int> pending = {start};
  while (!pending.empty()) {
    const int node = pending.back();
    pending.pop_back();
    if (node == target) return true;
    if (seen[node]) continue;
    seen[node] = true;
    for (const std::string& input : graph.node(node).input()) {
      const auto producer = producers.find(input);
      if (producer != producers.end()) pending.push_back(producer->second);
    }
  }
  return false;
}

class NameChecker {
 public:
  // `outer` holds the names of the scope that encloses a body; null for the
  // model's graph.
  explicit NameChecker(const onnx::GraphProto& graph,
                       const NameChecker* outer = nullptr)
      : graph_(graph), outer_(outer) {}

  absl::Status Run() {
    ASSAY_RETURN_IF_ERROR(DefineInputs());
    ASSAY_RETURN_IF_ERROR(FindProducers());
    for (int i = 0; i < graph_.node_size(); ++i) {
      ASSAY_RETURN_IF_ERROR(CheckOperands(i));
      ASSAY_RETURN_IF_ERROR(CheckBodies(i));
      for (const std::string& output : graph_.node(i).output()) {
        defined_.insert(output);
      }
    }
    return CheckOutputs();
  }

 private:
  bool IsDefined(const std::string& name) const {
    return defined_.contains(name) ||
           (outer_ != nullptr && outer_->IsDefined(name));
  }

  absl::Status CheckBodies(int node) const {
    for (const onnx::AttributeProto& attribute :
         graph_.node(node).attribute()) {
      if (!attribute.has_g()) continue;
      const absl::Status status = NameChecker(attribute.g(), this).Run();
      if (!status.ok()) {
        return Malformed(Label(node), ", attribute ", Quote(attribute.name()),
                         ": ", status.message());
      }
    }
    return absl::OkStatus();
  }

  // An initializer may share its name with an input, whose default it is.
  absl::Status DefineInputs() {
    absl::flat_hash_set<std::string> initializers;
    for (const onnx::TensorProto& tensor : graph_.initializer()) {
      if (tensor.name().empty()) {
        return Malformed("an initializer has no name");
      }
      if (!initializers.insert(tensor.name()).second) {
        return Malformed("two initializers are named ", Quote(tensor.name()));
      }
    }
    for (const onnx::ValueInfoProto& input : graph_.input()) {
      if (input.name().empty()) return Malformed("a graph input has no name");
      if (!defined_.insert(input.name()).second) {
        return Malformed("two graph inputs are named ", Quote(input.name()));
      }
    }
    defined_.insert(initializers.begin(), initializers.end());
    return absl::OkStatus();
  }

  absl::Status FindProducers() {
    for (int i = 0; i < graph_.node_size(); ++i) {
      for (const std::string& output : graph_.node(i).output()) {
        if (output.empty()) continue;
        const auto [other, is_new] = producers_.emplace(output, i);
        if (!is_new) {
          return Malformed(Label(i), " and ", Label(other->second),
                           " both produce ", Quote(output));
        }
        if (defined_.contains(output)) {
          return Malformed(Label(i), " produces ", Quote(output),
                           ", which is the name of an input or initializer");
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckOperands(int node) const {
    for (const std::string& input : graph_.node(node).input()) {
      if (input.empty() || IsDefined(input)) continue;
      const auto producer = producers_.find(input);
      if (producer == producers_.end()) {
        return Malformed(Label(node), " reads ", Quote(input),
                         ", which is no input, initializer or result");
      }
      if (DependsOn(graph_, producers_, producer->second, node)) {
        return Malformed(Label(node), " depends on its own result through ",
                         Quote(input));
      }
      return Malformed(Label(node), " reads ", Quote(input),
                       ", which a later node produces; nodes must come in "
                       "order of evaluation");
    }
    return absl::OkStatus();
  }

  absl::Status CheckOutputs() const {
    if (graph_.output().empty()) return Malformed("the graph has no output");
    absl::flat_hash_set<std::string> seen;
    for (const onnx::ValueInfoProto& output : graph_.output()) {
      if (output.name().empty()) {
        return Malformed("a graph output has no name");
      }
      if (!seen.insert(output.name()).second) {
        return Malformed("two graph outputs are named ", Quote(output.name()));
      }
      if (!IsDefined(output.name())) {
        return Malformed("graph output ", Quote(output.name()),
                         " is no input, initializer or result of a node");
      }
    }
    return absl::OkStatus();
  }

  std::string Label(int node) const {
    return NodeLabel(graph_.node(node), node);
  }

  const onnx::GraphProto& graph_;
  const NameChecker* const outer_;
  absl::flat_hash_set<std::string> defined_;
  absl::flat_hash_map<std::string, int> producers_;
};

}  // namespace

absl::StatusOr<int> CheckModel(const onnx::ModelProto& model) {
  if (!model.has_ir_version() || !model.has_graph()) {
    return Malformed("is no ONNX model: it has no ",
                     model.has_ir_version() ? "graph" : "format version");
  }
  if (model.ir_version() < kMinIrVersion ||
      model.ir_version() > kMaxIrVersion) {
    return Unsupported("format version (ir_version) ", model.ir_version(),
                       " is not supported; ", kMinIrVersion, " to ",
                       kMaxIrVersion, " are");
  }
  ASSAY_ASSIGN_OR_RETURN(const int opset, ReadOpset(model));
  ASSAY_RETURN_IF_ERROR(FieldChecker().Run(model));
  if (model.training_info_size() > 0) {
    return Unsupported(
        "the model has training information, which is not "
        "supported; export it for inference");
  }
  return opset;
}

absl::Status CheckNames(const onnx::GraphProto& graph) {
  return NameChecker(graph).Run();
}

}  // namespace assay::frontend
