#include "compiler/frontend/onnx/import.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/contrib/contrib_functions.h"
#include "compiler/frontend/onnx/functions.h"
#include "compiler/frontend/onnx/model_checks.h"
#include "compiler/frontend/onnx/operators/bounded_axes.h"
#include "compiler/frontend/onnx/operators/import_value.h"
#include "compiler/frontend/onnx/operators/op_import.h"
#include "compiler/frontend/onnx/operators/operator_table.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "compiler/frontend/onnx/signature.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Graph;
using graph::Node;

// The names of one graph, body or function, and for a body the enclosing scope,
// whose names are visible in it.
struct Scope {
  const Scope* outer = nullptr;
  absl::flat_hash_map<std::string, ImportValue> values;
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
const ImportValue* FindValue(const Scope& scope, const std::string& name) {
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
        options_(options),
        graph_(std::make_unique<Graph>(proto_.name().empty() ? "model"
                                                             : proto_.name())),
        memory_(options.max_memory),
        signature_(proto_, options, &memory_, &bounded_dims_, graph_.get()),
        known_values_(&memory_),
        context_{{graph_.get(), &memory_, &bounded_dims_, &known_values_,
                  &run_time_ints_},
                 opset,
                 folder,
                 &warnings_,
                 &read_} {}

  absl::StatusOr<std::unique_ptr<Graph>> Run() {
    ASSAY_RETURN_IF_ERROR(ReadInitializers(proto_, scope_));
    ASSAY_RETURN_IF_ERROR(signature_.AddInputs(scope_.values));
    FindUses(proto_);
    for (const onnx::FunctionProto& function : model_.functions()) {
      FindUses(function.node());
      read_.insert(function.output().begin(), function.output().end());
    }
    ASSAY_RETURN_IF_ERROR(ImportNodes(proto_.node(), context_, scope_));
    Warn();
    ASSAY_RETURN_IF_ERROR(signature_.AddOutputs(scope_.values));
    ASSAY_RETURN_IF_ERROR(signature_.CheckValueInfos(scope_.values));
    EraseUnused();
    return std::move(graph_);
  }

 private:
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
  // The initializers of the bodies of one node.
  using BodyConstants =
      absl::flat_hash_map<const onnx::GraphProto*,
                          absl::flat_hash_map<std::string, ImportValue>>;

  absl::Status ReadInitializers(const onnx::GraphProto& graph, Scope& scope);
  // Add the names that nodes or a graph read to `read_`.
  void FindUses(const Nodes& nodes);
  void FindUses(const onnx::GraphProto& graph);
  absl::Status CountExpanded();
  absl::Status ImportNodes(const Nodes& nodes, const OpImport::Context& context,
                           Scope& scope);
  absl::Status ImportNode(const onnx::NodeProto& node, int index,
                          const OpImport::Context& context, Scope& scope);
  absl::Status SetResults(const onnx::NodeProto& node,
                          absl::Span<const ImportValue> results, Scope& scope);
  absl::StatusOr<std::vector<ImportValue>> Operands(const onnx::NodeProto& node,
                                                    const Scope& scope) const;
  absl::StatusOr<std::vector<ImportValue>> ImportBody(
      const onnx::GraphProto& body, absl::Span<const ImportValue> arguments,
      const OpImport::Context& context, const Scope& outer,
      const std::string& name, BodyConstants& constants);
  // Discards what a body that failed has added: the nodes with an id above
  // `last`, and the warnings after the first `num_warnings`.
  void Abandon(int last, size_t num_warnings);
  absl::Status ImportCall(const onnx::FunctionProto& function,
                          const onnx::NodeProto& node, const std::string& name,
                          const OpImport::Context& context, Scope& scope);
  absl::Status ImportContrib(const onnx::NodeProto& node,
                             const std::string& name,
                             const OpImport::Context& context, Scope& scope);
  // Replaces `node` by the nodes of `body`.
  absl::Status ImportExpansion(const ContribBody& body,
                               absl::Span<const ImportValue> operands,
                               const onnx::NodeProto& node,
                               const std::string& name,
                               const OpImport::Context& context, Scope& outer);
  // Passes each of the warnings once to ImportOptions::warn.
  void Warn() const;
  void EraseUnused();

  const onnx::ModelProto& model_;
  const onnx::GraphProto& proto_;
  const ImportOptions& options_;
  std::unique_ptr<Graph> graph_;
  MemoryBudget memory_;
  graph::BoundedDims bounded_dims_;
  Signature signature_;
  graph::KnownValues known_values_;
  graph::RunTimeInts run_time_ints_;
  const OpImport::Context context_;
  Scope scope_;       // of the model's graph
  int expanded_ = 0;  // bodies and nodes of other scopes
  // Names that a node or the signature of a body or graph reads.
  absl::flat_hash_set<std::string> read_;
  std::vector<std::string> warnings_;
  // The ids of the nodes of bodies that failed. RunTimeInts may refer to these
  // nodes, which are valid, so that later nodes use them. Those that no node
  // uses are erased at the end of import.
  absl::flat_hash_set<int> abandoned_;
  // The first error in an initializer of a body.
  absl::Status unreadable_;
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
    scope.values[tensor.name()] =
        graph::Value{graph_->AddConstant(*array, tensor.name())};
  }
  return absl::OkStatus();
}

void Importer::FindUses(const Nodes& nodes) {
  for (const onnx::NodeProto& node : nodes) {
    read_.insert(node.input().begin(), node.input().end());
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) FindUses(attribute.g());
    }
  }
}

void Importer::FindUses(const onnx::GraphProto& graph) {
  FindUses(graph.node());
  for (const auto& output : graph.output()) read_.insert(output.name());
}

absl::StatusOr<std::vector<ImportValue>> Importer::Operands(
    const onnx::NodeProto& node, const Scope& scope) const {
  std::vector<ImportValue> operands;
  for (const std::string& name : node.input()) {
    // An empty name leaves out an optional operand.
    const ImportValue* found = name.empty() ? nullptr : FindValue(scope, name);
    if (name.empty()) {
      operands.push_back(ImportValue());
    } else if (found != nullptr) {
      operands.push_back(*found);
    } else {
      // CheckNames has found its producer, but for the nodes of functions: so
      // either this is a later result or there is none.
      return Unsupported("reads ", Quote(name), ", which is not the first ",
                         "result of its node; others are not supported");
    }
  }
  while (!operands.empty() && operands.back().is_left_out()) {
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
    const std::string label = NodeLabel(nodes.Get(i), i);
    const size_t num_warnings = warnings_.size();
    ASSAY_RETURN_IF_ERROR(
        Annotate(ImportNode(nodes.Get(i), i, context, scope), label));
    for (size_t k = num_warnings; k < warnings_.size(); ++k) {
      warnings_[k] = absl::StrCat(label, ": ", warnings_[k]);
    }
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
  if (IsContribOperator(node)) {
    return ImportContrib(node, name, context, scope);
  }
  ASSAY_ASSIGN_OR_RETURN(const OperatorRow* row,
                         FindOperator(node.op_type(), context.opset));
  ASSAY_RETURN_IF_ERROR(CheckResults(node, *row));
  ASSAY_ASSIGN_OR_RETURN(std::vector<ImportValue> operands,
                         Operands(node, scope));
  ASSAY_RETURN_IF_ERROR(CheckOperands(operands, *row));
  // A loop's body is imported many times, its constants once.
  BodyConstants constants;
  OpImport op(context, node, name, std::move(operands),
              [&](const onnx::GraphProto& body,
                  absl::Span<const ImportValue> arguments) {
                const Graph::NodeList& nodes = graph_->node_list();
                const int last = nodes.empty() ? -1 : nodes.back()->id();
                const size_t num_warnings = warnings_.size();
                auto results = ImportBody(body, arguments, context, scope, name,
                                          constants);
                if (!results.ok()) Abandon(last, num_warnings);
                return results;
              });
  ASSAY_RETURN_IF_ERROR(op.attributes().Check());
  ASSAY_RETURN_IF_ERROR(row->import(op));
  // A damaged file is refused even if the importer does without the body.
  ASSAY_RETURN_IF_ERROR(unreadable_);
  ASSAY_RETURN_IF_ERROR(op.attributes().CheckAllRead(op.opset()));
  if (op.results().empty()) {
    return Malformed("has results but its body gives none");
  }
  for (const ImportValue& result : op.results()) {
    // The importer has taken an upper limit for an extent.
    if (op.HasBoundedInput() && !CombinesBoundedAxes(op.op_type()) &&
        result.is_tensor() &&
        result.tensor().node->kind() == graph::OpKind::kConstant) {
      return Unsupported(
          "depends on an extent that is known only when the model runs");
    }
  }
  return SetResults(node, op.results(), scope);
}

absl::Status Importer::SetResults(const onnx::NodeProto& node,
                                  absl::Span<const ImportValue> results,
                                  Scope& scope) {
  const int set = static_cast<int>(results.size());
  for (int i = 0; i < node.output_size(); ++i) {
    const std::string& name = node.output(i);
    if (name.empty()) continue;
    if (i < set && !results[i].is_left_out()) {
      scope.values[name] = results[i];
    } else if (read_.contains(name)) {
      return Unsupported("result ", i, " ", Quote(name),
                         " is used, which is not supported");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ImportValue>> Importer::ImportBody(
    const onnx::GraphProto& body, absl::Span<const ImportValue> arguments,
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
    const absl::Status status = ReadInitializers(body, scope);
    unreadable_.Update(status);
    ASSAY_RETURN_IF_ERROR(status);
    known->second = scope.values;
  }
  scope.values = known->second;
  for (int i = 0; i < body.input_size(); ++i) {
    scope.values[body.input(i).name()] = arguments[i];
  }
  ASSAY_RETURN_IF_ERROR(ImportNodes(body.node(), context, scope));
  std::vector<ImportValue> results;
  for (const onnx::ValueInfoProto& output : body.output()) {
    const ImportValue* value = FindValue(scope, output.name());
    if (value == nullptr) {
      return Malformed("output ", Quote(output.name()), " of the body ",
                       Quote(body.name()), " is not defined");
    }
    results.push_back(*value);
  }
  return results;
}

// The ids of the nodes ascend in the graph's list.
void Importer::Abandon(int last, size_t num_warnings) {
  const Graph::NodeList& nodes = graph_->node_list();
  for (auto node = nodes.rbegin(); node != nodes.rend() && (*node)->id() > last;
       ++node) {
    abandoned_.insert((*node)->id());
  }
  warnings_.resize(num_warnings);
}

absl::Status Importer::ImportCall(const onnx::FunctionProto& function,
                                  const onnx::NodeProto& node,
                                  const std::string& name,
                                  const OpImport::Context& context,
                                  Scope& outer) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<ImportValue> operands,
                         Operands(node, outer));
  if (static_cast<int>(operands.size()) > function.input_size() ||
      node.output_size() > function.output_size()) {
    return Malformed("has ", operands.size(), " inputs and ",
                     node.output_size(), " results but the function ",
                     Quote(function.name()), " has ", function.input_size(),
                     " and ", function.output_size());
  }
  ContribBody body;
  ASSAY_ASSIGN_OR_RETURN(body.opset, FunctionOpset(function, context.opset));
  ASSAY_ASSIGN_OR_RETURN(body.nodes, CallBody(function, node));
  body.inputs.assign(function.input().begin(), function.input().end());
  body.outputs.assign(function.output().begin(), function.output().end());
  return ImportExpansion(body, operands, node, name, context, outer);
}

// An operator of another domain is a function whose nodes depend on the types
// of the operands.
absl::Status Importer::ImportContrib(const onnx::NodeProto& node,
                                     const std::string& name,
                                     const OpImport::Context& context,
                                     Scope& outer) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<ImportValue> operands,
                         Operands(node, outer));
  std::vector<const graph::TensorType*> types;
  std::vector<const NDArray*> values;
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool given = !operands[i].is_left_out();
    if (given && !operands[i].is_tensor()) {
      return Malformed("input ", i, " is ", operands[i].KindName(),
                       " but a tensor is needed");
    }
    const graph::Value operand = given ? operands[i].tensor() : graph::Value();
    if (given && bounded_dims_.IsBounded(operand)) {
      return Unsupported(
          "depends on an extent that is known only when the model runs");
    }
    types.push_back(given ? &operand.type() : nullptr);
    values.push_back(given && operand.node->kind() == graph::OpKind::kConstant
                         ? &operand.node->attrs_as<graph::ConstantAttrs>().value
                         : nullptr);
  }
  ASSAY_ASSIGN_OR_RETURN(
      const ContribBody body,
      ExpandContrib({&node, types, values, &read_, memory_.left()}));
  FindUses(body.nodes);
  read_.insert(body.outputs.begin(), body.outputs.end());
  return ImportExpansion(body, operands, node, name, context, outer);
}

absl::Status Importer::ImportExpansion(const ContribBody& body,
                                       absl::Span<const ImportValue> operands,
                                       const onnx::NodeProto& node,
                                       const std::string& name,
                                       const OpImport::Context& context,
                                       Scope& outer) {
  Scope scope;  // the body sees nothing of what is around the call
  scope.prefix = absl::StrCat(name, "/");
  scope.depth = outer.depth + 1;
  if (scope.depth > kMaxDepth) {
    return Unsupported("calls of functions are nested more than ", kMaxDepth,
                       " deep");
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].is_left_out()) continue;
    scope.values[body.inputs[i]] = operands[i];
  }
  OpImport::Context inner = context;
  inner.opset = body.opset;
  ASSAY_RETURN_IF_ERROR(ImportNodes(body.nodes, inner, scope));
  std::vector<ImportValue> results;
  for (const std::string& output : body.outputs) {
    const ImportValue* value = FindValue(scope, output);
    if (value == nullptr && !output.empty()) {
      return Malformed("result ", Quote(output), " of the function ",
                       Quote(node.op_type()), " is not defined");
    }
    results.push_back(value == nullptr ? ImportValue() : *value);
  }
  return SetResults(node, results, outer);
}

void Importer::Warn() const {
  if (options_.warn == nullptr) return;
  // The iterations of a loop have the same warnings.
  absl::flat_hash_set<absl::string_view> seen;
  for (const std::string& warning : warnings_) {
    if (seen.insert(absl::string_view(warning)).second) options_.warn(warning);
  }
}

// Erases unused constants and unused nodes of bodies that failed, users before
// their operands.
void Importer::EraseUnused() {
  const std::vector<Node*> nodes = graph_->Nodes();
  for (auto place = nodes.rbegin(); place != nodes.rend(); ++place) {
    Node* const node = *place;
    const bool is_needless = node->kind() == graph::OpKind::kConstant ||
                             abandoned_.contains(node->id());
    if (is_needless && node->users().empty() && !graph_->IsOutput(node)) {
      graph_->Erase(node);
    }
  }
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

}  // namespace assay::frontend
