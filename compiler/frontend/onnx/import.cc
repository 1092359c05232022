#include "compiler/frontend/onnx/import.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/functions.h"
#include "compiler/frontend/onnx/model_checks.h"
#include "compiler/frontend/onnx/operators/op_import.h"
#include "compiler/frontend/onnx/operators/operator_table.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

// The names of one graph, body or function, and for a body the enclosing scope,
// whose names are visible in it.
struct Scope {
  const Scope* outer = nullptr;
  absl::flat_hash_map<std::string, Value> values;
  // Prefix of the names of nodes without a name.
  std::string prefix;
  int depth = 0;
};

// Maximum nesting depth; deeper nesting is a function that calls itself.
constexpr int kMaxDepth = 32;
// Maximum number of bodies and of nodes in bodies and functions, each counted
// as often as it is used.
constexpr int kMaxExpanded = 1 << 18;

// The value of a name; null if there is none.
const Value* FindValue(const Scope& scope, const std::string& name) {
  for (const Scope* s = &scope; s != nullptr; s = s->outer) {
    const auto found = s->values.find(name);
    if (found != s->values.end()) return &found->second;
  }
  return nullptr;
}

class Importer {
 public:
  Importer(const onnx::ModelProto& model, int opset,
           const ImportOptions& options, const std::string& folder)
      : model_(model),
        proto_(model.graph()),
        graph_(std::make_unique<Graph>(proto_.name().empty() ? "model"
                                                             : proto_.name())),
        memory_(options.max_memory),
        types_(options.dims, memory_),
        bound_inputs_(options.bound_inputs),
        context_{graph_.get(), opset,          folder,
                 &memory_,     &bounded_dims_, &read_} {}

  absl::StatusOr<std::unique_ptr<Graph>> Run() {
    ASSAY_RETURN_IF_ERROR(ReadInitializers(proto_, scope_));
    ASSAY_RETURN_IF_ERROR(ReadInputs());
    ASSAY_RETURN_IF_ERROR(types_.CheckDims());
    ASSAY_RETURN_IF_ERROR(CheckBoundInputs());
    FindUses(proto_);
    for (const onnx::FunctionProto& function : model_.functions()) {
      FindUses(function);
    }
    ASSAY_RETURN_IF_ERROR(ImportNodes(proto_.node(), context_, scope_));
    ASSAY_RETURN_IF_ERROR(SetOutputs());
    ASSAY_RETURN_IF_ERROR(CheckValueInfos());
    EraseUnusedConstants();
    return std::move(graph_);
  }

 private:
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
  // The initializers of the bodies of one node.
  using BodyConstants =
      absl::flat_hash_map<const onnx::GraphProto*,
                          absl::flat_hash_map<std::string, Value>>;

  absl::Status ReadInitializers(const onnx::GraphProto& graph, Scope& scope);
  absl::Status ReadInputs();
  absl::Status CheckBoundInputs() const;
  // Adds the names that a graph or a function reads to `read_`.
  template <typename Proto>
  void FindUses(const Proto& proto);
  absl::Status CountExpanded();
  absl::Status ImportNodes(const Nodes& nodes, const OpImport::Context& context,
                           Scope& scope);
  absl::Status ImportNode(const onnx::NodeProto& node, int index,
                          const OpImport::Context& context, Scope& scope);
  absl::Status SetResults(const onnx::NodeProto& node,
                          absl::Span<const Value> results, Scope& scope);
  absl::StatusOr<std::vector<Value>> Operands(const onnx::NodeProto& node,
                                              const Scope& scope) const;
  absl::StatusOr<std::vector<Value>> ImportBody(
      const onnx::GraphProto& body, absl::Span<const Value> arguments,
      const OpImport::Context& context, const Scope& outer,
      const std::string& name, BodyConstants& constants);
  absl::Status ImportCall(const onnx::FunctionProto& function,
                          const onnx::NodeProto& node, const std::string& name,
                          const OpImport::Context& context, Scope& scope);
  absl::Status SetOutputs();
  absl::Status CheckValueInfos() const;
  absl::Status CheckDeclared(const onnx::ValueInfoProto& info,
                             Value value) const;
  void EraseUnusedConstants();

  const onnx::ModelProto& model_;
  const onnx::GraphProto& proto_;
  std::unique_ptr<Graph> graph_;
  MemoryBudget memory_;
  TypeReader types_;
  graph::BoundedDims bounded_dims_;
  const std::map<std::string, NDArray>& bound_inputs_;
  const OpImport::Context context_;
  Scope scope_;       // of the model's graph
  int expanded_ = 0;  // bodies and nodes of other scopes
  // Names that a node or the signature of a body or graph reads.
  absl::flat_hash_set<std::string> read_;
};

absl::Status Importer::ReadInitializers(const onnx::GraphProto& graph,
                                        Scope& scope) {
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    const auto array = ReadTensor(tensor, context_.folder, memory_.left());
    if (!array.ok()) {
      return Annotate(array.status(),
                      absl::StrCat("initializer ", Quote(tensor.name())));
    }
    memory_.Use(array->num_bytes());
    scope.values[tensor.name()] = {graph_->AddConstant(*array, tensor.name())};
  }
  return absl::OkStatus();
}

absl::Status Importer::ReadInputs() {
  for (const onnx::ValueInfoProto& info : proto_.input()) {
    const std::string label = absl::StrCat("input ", Quote(info.name()));
    const auto initializer = scope_.values.find(info.name());
    if (initializer != scope_.values.end()) {
      // Old versions of the format list weights among the inputs.
      ASSAY_RETURN_IF_ERROR(Annotate(
          types_.CheckDeclared(info, initializer->second.type()), label));
      continue;
    }
    const auto bound = bound_inputs_.find(info.name());
    if (bound != bound_inputs_.end()) {
      const Value value{graph_->AddConstant(bound->second, info.name())};
      memory_.Use(bound->second.num_bytes());
      ASSAY_RETURN_IF_ERROR(
          Annotate(types_.CheckDeclared(info, value.type()), label));
      scope_.values[info.name()] = value;
      continue;
    }
    const auto type = types_.ReadInput(info);
    if (!type.ok()) return Annotate(type.status(), label);
    memory_.Use(type->num_bytes());
    ASSAY_ASSIGN_OR_RETURN(Node * node, graph_->AddInput(info.name(), *type));
    scope_.values[info.name()] = {node};
  }
  return absl::OkStatus();
}

absl::Status Importer::CheckBoundInputs() const {
  for (const auto& entry : bound_inputs_) {
    const std::string& name = entry.first;
    const auto& inputs = proto_.input();
    const bool found =
        std::any_of(inputs.begin(), inputs.end(),
                    [&](const auto& info) { return info.name() == name; });
    if (!found) {
      return Malformed("the model has no input ", Quote(name),
                       ", for which a value is given");
    }
    for (const onnx::TensorProto& tensor : proto_.initializer()) {
      if (tensor.name() != name) continue;
      return Malformed("a value is given for input ", Quote(name),
                       ", which has one in the model");
    }
  }
  return absl::OkStatus();
}

template <typename Proto>
void Importer::FindUses(const Proto& proto) {
  for (const onnx::NodeProto& node : proto.node()) {
    read_.insert(node.input().begin(), node.input().end());
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) FindUses(attribute.g());
    }
  }
  for (const auto& output : proto.output()) {
    if constexpr (std::is_same_v<Proto, onnx::GraphProto>) {
      read_.insert(output.name());
    } else {
      read_.insert(output);
    }
  }
}

absl::StatusOr<std::vector<Value>> Importer::Operands(
    const onnx::NodeProto& node, const Scope& scope) const {
  std::vector<Value> operands;
  for (const std::string& name : node.input()) {
    // An empty name leaves out an optional operand.
    const Value* found = name.empty() ? nullptr : FindValue(scope, name);
    if (name.empty()) {
      operands.push_back(Value());
    } else if (found != nullptr) {
      operands.push_back(*found);
    } else {
      // CheckNames has found its producer, but for the nodes of functions: so
      // either this is a later result or there is none.
      return Unsupported("reads ", Quote(name), ", which is not the first ",
                         "result of its node; others are not supported");
    }
  }
  while (!operands.empty() && operands.back().node == nullptr) {
    operands.pop_back();
  }
  return operands;
}

// Counts a body, or a node of a scope other than the model's graph.
absl::Status Importer::CountExpanded() {
  if (++expanded_ <= kMaxExpanded) return absl::OkStatus();
  return Unsupported("bodies, and the nodes of bodies and functions, are more ",
                     "than ", kMaxExpanded);
}

absl::Status Importer::ImportNodes(const Nodes& nodes,
                                   const OpImport::Context& context,
                                   Scope& scope) {
  for (int i = 0; i < nodes.size(); ++i) {
    if (scope.depth > 0) ASSAY_RETURN_IF_ERROR(CountExpanded());
    ASSAY_RETURN_IF_ERROR(Annotate(ImportNode(nodes.Get(i), i, context, scope),
                                   NodeLabel(nodes.Get(i), i)));
  }
  return absl::OkStatus();
}

absl::Status Importer::ImportNode(const onnx::NodeProto& node, int index,
                                  const OpImport::Context& context,
                                  Scope& scope) {
  const std::string name =
      absl::StrCat(scope.prefix, node.name().empty()
                                     ? absl::StrCat(node.op_type(), "_", index)
                                     : node.name());
  const onnx::FunctionProto* function = FindFunction(model_, node);
  if (function != nullptr) {
    return ImportCall(*function, node, name, context, scope);
  }
  if (!SameDomain(node.domain(), "")) {
    return Unsupported("operators of the domain ", Quote(node.domain()),
                       " are not supported");
  }
  ASSAY_ASSIGN_OR_RETURN(const OperatorRow* row,
                         FindOperator(node.op_type(), context.opset));
  ASSAY_RETURN_IF_ERROR(CheckResults(node, *row));
  ASSAY_ASSIGN_OR_RETURN(std::vector<Value> operands, Operands(node, scope));
  ASSAY_RETURN_IF_ERROR(CheckOperands(operands, *row));
  // A loop's body is imported many times, its constants once.
  BodyConstants constants;
  OpImport op(
      context, node, name, std::move(operands),
      [&](const onnx::GraphProto& body, absl::Span<const Value> arguments) {
        return ImportBody(body, arguments, context, scope, name, constants);
      });
  ASSAY_RETURN_IF_ERROR(op.attributes().Check());
  ASSAY_RETURN_IF_ERROR(row->import(op));
  ASSAY_RETURN_IF_ERROR(op.attributes().CheckAllRead(op.opset()));
  if (op.results().empty()) {
    return Malformed("has results but its body gives none");
  }
  for (const Value result : op.results()) {
    if (op.HasBoundedInput() && result.node != nullptr &&
        result.node->kind() == graph::OpKind::kConstant) {
      return Unsupported(
          "depends on an extent that is known only when the model runs");
    }
  }
  return SetResults(node, op.results(), scope);
}

absl::Status Importer::SetResults(const onnx::NodeProto& node,
                                  absl::Span<const Value> results,
                                  Scope& scope) {
  const int set = static_cast<int>(results.size());
  for (int i = 0; i < std::min(set, node.output_size()); ++i) {
    if (!node.output(i).empty()) scope.values[node.output(i)] = results[i];
  }
  for (int i = set; i < node.output_size(); ++i) {
    if (!node.output(i).empty() && read_.contains(node.output(i))) {
      return Unsupported("result ", i, " ", Quote(node.output(i)),
                         " is used; only the first result is supported");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Value>> Importer::ImportBody(
    const onnx::GraphProto& body, absl::Span<const Value> arguments,
    const OpImport::Context& context, const Scope& outer,
    const std::string& name, BodyConstants& constants) {
  Scope scope;
  scope.outer = &outer;
  scope.prefix = absl::StrCat(name, "/");
  scope.depth = outer.depth + 1;
  if (body.input_size() != static_cast<int>(arguments.size())) {
    return Malformed("the body ", Quote(body.name()), " takes ",
                     body.input_size(), " inputs but is given ",
                     arguments.size());
  }
  if (scope.depth > kMaxDepth) {
    return Unsupported("bodies are nested more than ", kMaxDepth, " deep");
  }
  ASSAY_RETURN_IF_ERROR(CountExpanded());
  const auto [known, is_new] = constants.try_emplace(&body);
  if (is_new) {
    ASSAY_RETURN_IF_ERROR(ReadInitializers(body, scope));
    known->second = scope.values;
  }
  scope.values = known->second;
  for (int i = 0; i < body.input_size(); ++i) {
    scope.values[body.input(i).name()] = arguments[i];
  }
  ASSAY_RETURN_IF_ERROR(ImportNodes(body.node(), context, scope));
  std::vector<Value> results;
  for (const onnx::ValueInfoProto& output : body.output()) {
    const Value* value = FindValue(scope, output.name());
    if (value == nullptr) {
      return Malformed("output ", Quote(output.name()), " of the body ",
                       Quote(body.name()), " is not defined");
    }
    results.push_back(*value);
  }
  return results;
}

absl::Status Importer::ImportCall(const onnx::FunctionProto& function,
                                  const onnx::NodeProto& node,
                                  const std::string& name,
                                  const OpImport::Context& context,
                                  Scope& outer) {
  Scope scope;  // a function sees nothing of what is around its call
  scope.prefix = absl::StrCat(name, "/");
  scope.depth = outer.depth + 1;
  if (scope.depth > kMaxDepth) {
    return Unsupported("calls of functions are nested more than ", kMaxDepth,
                       " deep");
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Value> operands,
                         Operands(node, outer));
  if (static_cast<int>(operands.size()) > function.input_size() ||
      node.output_size() > function.output_size()) {
    return Malformed("has ", operands.size(), " inputs and ",
                     node.output_size(), " results but the function ",
                     Quote(function.name()), " has ", function.input_size(),
                     " and ", function.output_size());
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].node == nullptr) continue;
    scope.values[function.input(static_cast<int>(i))] = operands[i];
  }
  OpImport::Context inner = context;
  ASSAY_ASSIGN_OR_RETURN(inner.opset, FunctionOpset(function, context.opset));
  ASSAY_ASSIGN_OR_RETURN(const Nodes nodes, CallBody(function, node));
  ASSAY_RETURN_IF_ERROR(ImportNodes(nodes, inner, scope));
  std::vector<Value> results;
  for (const std::string& output : function.output()) {
    const Value* value = FindValue(scope, output);
    if (value == nullptr) {
      return Malformed("result ", Quote(output), " of the function ",
                       Quote(function.name()), " is not defined");
    }
    results.push_back(*value);
  }
  return SetResults(node, results, outer);
}

absl::Status Importer::SetOutputs() {
  for (const onnx::ValueInfoProto& info : proto_.output()) {
    const Value value = scope_.values.at(info.name());
    ASSAY_RETURN_IF_ERROR(
        Annotate(CheckDeclared(info, value),
                 absl::StrCat("output ", Quote(info.name()))));
    graph_->AddOutput(info.name(), value);
  }
  for (int i = 0; i < proto_.output_size(); ++i) {
    const graph::BoundedDim* bound =
        bounded_dims_.Find(graph_->outputs()[i].value);
    if (bound != nullptr) graph_->BoundOutput(i, bound->axis, bound->extent);
  }
  return absl::OkStatus();
}

absl::Status Importer::CheckDeclared(const onnx::ValueInfoProto& info,
                                     Value value) const {
  const graph::BoundedDim* bound = bounded_dims_.Find(value);
  return types_.CheckDeclared(info, value.type(),
                              bound == nullptr ? -1 : bound->axis);
}

absl::Status Importer::CheckValueInfos() const {
  for (const onnx::ValueInfoProto& info : proto_.value_info()) {
    const auto value = scope_.values.find(info.name());
    if (value == scope_.values.end()) continue;
    ASSAY_RETURN_IF_ERROR(Annotate(CheckDeclared(info, value->second),
                                   absl::StrCat("value ", Quote(info.name()))));
  }
  return absl::OkStatus();
}

void Importer::EraseUnusedConstants() {
  for (Node* node : graph_->Nodes()) {
    if (node->kind() == graph::OpKind::kConstant && node->users().empty() &&
        !graph_->IsOutput(node)) {
      graph_->Erase(node);
    }
  }
}

absl::string_view FolderOf(absl::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == absl::string_view::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> ImportOnnxModel(
    const onnx::ModelProto& model, const ImportOptions& options,
    const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(const int opset, CheckModel(model));
  ASSAY_RETURN_IF_ERROR(CheckNames(model.graph()));
  ASSAY_RETURN_IF_ERROR(CheckFunctions(model));
  return Importer(model, opset, options, folder).Run();
}

absl::StatusOr<std::unique_ptr<Graph>> ImportOnnxBytes(
    absl::string_view bytes, const ImportOptions& options,
    const std::string& folder) {
  onnx::ModelProto model;
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Malformed("is no ONNX model: its ", bytes.size(),
                     " bytes cannot be parsed; it may have been cut short");
  }
  return ImportOnnxModel(model, options, folder);
}

absl::StatusOr<std::unique_ptr<Graph>> ImportOnnxFile(
    const std::string& path, const ImportOptions& options) {
  // The error names the path already.
  ASSAY_ASSIGN_OR_RETURN(
      const std::string bytes,
      ReadFile(path, std::min(kMaxFileBytes, options.max_memory)));
  auto graph = ImportOnnxBytes(bytes, options, std::string(FolderOf(path)));
  if (!graph.ok()) {
    // Not shortened: the path comes from the caller, not from the file.
    return Annotate(graph.status(), absl::StrCat("`", path, "`"));
  }
  return graph;
}

absl::StatusOr<std::pair<std::string, int64_t>> ParseDim(
    absl::string_view text) {
  const size_t equals = text.rfind('=');
  int64_t extent = 0;
  if (equals == absl::string_view::npos || equals == 0 ||
      !absl::SimpleAtoi(text.substr(equals + 1), &extent) || extent < 1) {
    return Malformed(Quote(text),
                     " is no symbol and extent; write `N=1`, for example");
  }
  return std::make_pair(std::string(text.substr(0, equals)), extent);
}

}  // namespace assay::frontend
