#include "compiler/frontend/onnx/import.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/model_checks.h"
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/op_import.h"
#include "compiler/frontend/onnx/operator_table.h"
#include "compiler/frontend/onnx/tensor.h"
#include "compiler/frontend/onnx/type_reader.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

class Importer {
 public:
  Importer(const onnx::GraphProto& proto, int opset,
           const ImportOptions& options, const std::string& folder)
      : proto_(proto),
        graph_(std::make_unique<Graph>(proto.name().empty() ? "model"
                                                            : proto.name())),
        types_(options.dims, options.max_tensor_bytes),
        bound_inputs_(options.bound_inputs),
        context_{graph_.get(), opset, folder, options.max_tensor_bytes,
                 &bounds_,     &read_} {}

  absl::StatusOr<std::unique_ptr<Graph>> Run() {
    ASSAY_RETURN_IF_ERROR(ReadInitializers());
    ASSAY_RETURN_IF_ERROR(ReadInputs());
    ASSAY_RETURN_IF_ERROR(types_.CheckDims());
    ASSAY_RETURN_IF_ERROR(CheckBoundInputs());
    FindUses();
    for (int i = 0; i < proto_.node_size(); ++i) {
      const onnx::NodeProto& node = proto_.node(i);
      ASSAY_RETURN_IF_ERROR(Annotate(ImportNode(node, i), NodeLabel(node, i)));
    }
    ASSAY_RETURN_IF_ERROR(SetOutputs());
    ASSAY_RETURN_IF_ERROR(CheckValueInfos());
    EraseUnusedConstants();
    return std::move(graph_);
  }

 private:
  absl::Status ReadInitializers();
  absl::Status ReadInputs();
  absl::Status CheckBoundInputs() const;
  void FindUses();
  absl::Status ImportNode(const onnx::NodeProto& node, int index);
  absl::StatusOr<std::vector<Value>> Operands(const onnx::NodeProto& node,
                                              const OperatorRow& row) const;
  absl::Status CheckResults(const onnx::NodeProto& node,
                            const OperatorRow& row) const;
  absl::Status SetOutputs();
  absl::Status CheckValueInfos() const;
  absl::Status CheckDeclared(const onnx::ValueInfoProto& info,
                             Value value) const;
  void EraseUnusedConstants();

  const onnx::GraphProto& proto_;
  std::unique_ptr<Graph> graph_;
  TypeReader types_;
  graph::Bounds bounds_;
  const std::map<std::string, NDArray>& bound_inputs_;
  const OpImport::Context context_;
  absl::flat_hash_map<std::string, Value> values_;
  // Names that a node or the graph's signature reads.
  absl::flat_hash_set<std::string> read_;
};

absl::Status Importer::ReadInitializers() {
  for (const onnx::TensorProto& tensor : proto_.initializer()) {
    const auto array = ReadTensor(tensor, context_.folder, context_.max_bytes);
    if (!array.ok()) {
      return Annotate(array.status(),
                      absl::StrCat("initializer ", Quote(tensor.name())));
    }
    values_[tensor.name()] = {graph_->AddConstant(*array, tensor.name())};
  }
  return absl::OkStatus();
}

absl::Status Importer::ReadInputs() {
  for (const onnx::ValueInfoProto& info : proto_.input()) {
    const std::string label = absl::StrCat("input ", Quote(info.name()));
    const auto initializer = values_.find(info.name());
    if (initializer != values_.end()) {
      // A weight, which old versions of the format list among the inputs.
      ASSAY_RETURN_IF_ERROR(Annotate(
          types_.CheckDeclared(info, initializer->second.type()), label));
      continue;
    }
    const auto bound = bound_inputs_.find(info.name());
    if (bound != bound_inputs_.end()) {
      const Value value{graph_->AddConstant(bound->second, info.name())};
      ASSAY_RETURN_IF_ERROR(
          Annotate(types_.CheckDeclared(info, value.type()), label));
      values_[info.name()] = value;
      continue;
    }
    const auto type = types_.ReadInput(info);
    if (!type.ok()) return Annotate(type.status(), label);
    ASSAY_ASSIGN_OR_RETURN(Node * node, graph_->AddInput(info.name(), *type));
    values_[info.name()] = {node};
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

void Importer::FindUses() {
  for (const onnx::NodeProto& node : proto_.node()) {
    read_.insert(node.input().begin(), node.input().end());
  }
  for (const onnx::ValueInfoProto& output : proto_.output()) {
    read_.insert(output.name());
  }
}

absl::Status CheckOperands(absl::Span<const Value> operands,
                           const OperatorRow& row) {
  const int count = operands.size();
  const bool any = row.max_inputs < 0;
  if (count < row.min_inputs || (!any && count > row.max_inputs)) {
    const std::string most = any ? " or more"
                             : row.min_inputs == row.max_inputs
                                 ? ""
                                 : absl::StrCat(" to ", row.max_inputs);
    return Malformed("takes ", row.min_inputs, most,
                     " inputs but the node has ", count);
  }
  for (int i = 0; i < (any ? count : row.min_inputs); ++i) {
    if (operands[i].node == nullptr) {
      return Malformed("input ", i, " is left out but is required");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Value>> Importer::Operands(
    const onnx::NodeProto& node, const OperatorRow& row) const {
  std::vector<Value> operands;
  for (const std::string& name : node.input()) {
    // An empty name leaves out an optional operand.
    const auto found = values_.find(name);
    if (name.empty()) {
      operands.push_back(Value());
    } else if (found != values_.end()) {
      operands.push_back(found->second);
    } else {
      // CheckNames has found its producer, so this is a later result.
      return Unsupported("reads ", Quote(name), ", which is not the first ",
                         "result of its node; others are not supported");
    }
  }
  while (!operands.empty() && operands.back().node == nullptr) {
    operands.pop_back();
  }
  ASSAY_RETURN_IF_ERROR(CheckOperands(operands, row));
  return operands;
}

absl::Status Importer::CheckResults(const onnx::NodeProto& node,
                                    const OperatorRow& row) const {
  const auto& names = node.output();
  if (std::all_of(names.begin(), names.end(),
                  [](const std::string& name) { return name.empty(); })) {
    return Malformed("has no result");
  }
  if (row.max_results >= 0 && node.output_size() > row.max_results) {
    return Malformed("has ", node.output_size(),
                     " results but the operator has at most ", row.max_results);
  }
  return absl::OkStatus();
}

absl::Status Importer::ImportNode(const onnx::NodeProto& node, int index) {
  ASSAY_ASSIGN_OR_RETURN(const OperatorRow* row,
                         FindOperator(node.op_type(), context_.opset));
  ASSAY_RETURN_IF_ERROR(CheckResults(node, *row));
  ASSAY_ASSIGN_OR_RETURN(std::vector<Value> operands, Operands(node, *row));
  const std::string name = node.name().empty()
                               ? absl::StrCat(node.op_type(), "_", index)
                               : node.name();
  OpImport op(context_, node, name, std::move(operands));
  ASSAY_RETURN_IF_ERROR(op.attributes().Check());
  ASSAY_RETURN_IF_ERROR(row->import(op));
  ASSAY_RETURN_IF_ERROR(op.attributes().CheckAllRead(op.opset()));
  const int set = static_cast<int>(op.results().size());
  CHECK_GE(set, 1) << node.op_type();
  for (const Value result : op.results()) {
    if (op.HasBoundedInput() &&
        result.node->kind() == graph::OpKind::kConstant) {
      return Unsupported(
          "depends on an extent that is known only when the model runs");
    }
  }
  for (int i = 0; i < std::min(set, node.output_size()); ++i) {
    if (!node.output(i).empty()) values_[node.output(i)] = op.results()[i];
  }
  for (int i = set; i < node.output_size(); ++i) {
    if (!node.output(i).empty() && read_.contains(node.output(i))) {
      return Unsupported("result ", i, " ", Quote(node.output(i)),
                         " is used; only the first result is supported");
    }
  }
  return absl::OkStatus();
}

absl::Status Importer::SetOutputs() {
  for (const onnx::ValueInfoProto& info : proto_.output()) {
    const Value value = values_.at(info.name());
    ASSAY_RETURN_IF_ERROR(
        Annotate(CheckDeclared(info, value),
                 absl::StrCat("output ", Quote(info.name()))));
    graph_->AddOutput(info.name(), value);
  }
  for (int i = 0; i < proto_.output_size(); ++i) {
    const graph::Bound* bound = bounds_.Find(graph_->outputs()[i].value);
    if (bound != nullptr) graph_->BoundOutput(i, bound->axis, bound->extent);
  }
  return absl::OkStatus();
}

absl::Status Importer::CheckDeclared(const onnx::ValueInfoProto& info,
                                     Value value) const {
  const graph::Bound* bound = bounds_.Find(value);
  return types_.CheckDeclared(info, value.type(),
                              bound == nullptr ? -1 : bound->axis);
}

absl::Status Importer::CheckValueInfos() const {
  for (const onnx::ValueInfoProto& info : proto_.value_info()) {
    const auto value = values_.find(info.name());
    if (value == values_.end()) continue;
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
  return Importer(model.graph(), opset, options, folder).Run();
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
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  auto graph = ImportOnnxBytes(bytes, options, std::string(FolderOf(path)));
  if (!graph.ok()) {
    // Whole, however long: it is the caller's word, not the file's.
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
