#include "compiler/graph/parser.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/graph/text_cursor.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// The parsed text before names are resolved. All of it is read first so that
// graph inputs can take ids that no node of the text has.
struct ValueRef {
  std::string name;  // `data`, `3`
  int index = 0;
  int line = 0;
};

struct GraphText;

struct NodeText {
  int line = 0;
  int id = 0;
  std::vector<TensorType> types;
  OpKind kind = OpKind::kInput;
  std::vector<ValueRef> inputs;
  std::vector<FieldText> fields;
  std::shared_ptr<GraphText> body;
  std::string name;
  std::vector<std::string> sources;
};

struct OutputText {
  std::string name;
  ValueRef value;
  int axis = -1;
  ValueRef extent;  // where the axis is given
};

struct GraphText {
  std::string name;
  std::vector<std::pair<std::string, TensorType>> inputs;
  std::vector<OutputText> outputs;
  std::vector<NodeText> nodes;
};

absl::Status At(int line, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat("line ", line, ": ", status.message()));
}

// The key of an input, distinct from that of any node: `"3` is not node 3.
std::string InputKey(const std::string& name) {
  const bool digits = !name.empty() && name[0] >= '0' && name[0] <= '9';
  return digits ? absl::StrCat("\"", name) : name;
}

class Reader {
 public:
  explicit Reader(absl::string_view text) : cursor_(text) {}

  absl::StatusOr<GraphText> ReadAll() {
    ASSAY_ASSIGN_OR_RETURN(GraphText graph, ReadGraph(/*is_body=*/false));
    if (!cursor_.AtEnd()) return cursor_.Error("text follows the graph");
    return graph;
  }

 private:
  absl::StatusOr<GraphText> ReadGraph(bool is_body) {
    GraphText graph;
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("graph"));
    ASSAY_ASSIGN_OR_RETURN(graph.name, cursor_.ReadName("a graph name"));
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("("));
    while (!cursor_.Try(")")) {
      if (!graph.inputs.empty()) ASSAY_RETURN_IF_ERROR(cursor_.Expect(","));
      ASSAY_RETURN_IF_ERROR(cursor_.Expect("%"));
      ASSAY_ASSIGN_OR_RETURN(std::string name,
                             cursor_.ReadName("an input name"));
      ASSAY_RETURN_IF_ERROR(cursor_.Expect(":"));
      ASSAY_ASSIGN_OR_RETURN(TensorType type, ReadType());
      graph.inputs.push_back({std::move(name), std::move(type)});
    }
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("->"));
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("("));
    while (!cursor_.Try(")")) {
      if (!graph.outputs.empty()) ASSAY_RETURN_IF_ERROR(cursor_.Expect(","));
      ASSAY_ASSIGN_OR_RETURN(OutputText output, ReadOutput());
      graph.outputs.push_back(std::move(output));
    }
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("{"));
    while (!cursor_.Try("}")) {
      ASSAY_ASSIGN_OR_RETURN(NodeText node, ReadNode(is_body));
      graph.nodes.push_back(std::move(node));
    }
    return graph;
  }

  absl::StatusOr<OutputText> ReadOutput() {
    OutputText output;
    if (!cursor_.NextIs('%')) {
      ASSAY_ASSIGN_OR_RETURN(output.name, cursor_.ReadName("an output name"));
      ASSAY_RETURN_IF_ERROR(cursor_.Expect("="));
    }
    ASSAY_ASSIGN_OR_RETURN(output.value, ReadValue());
    if (!cursor_.Try("{")) return output;
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("axis"));
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("="));
    ASSAY_ASSIGN_OR_RETURN(const absl::string_view axis,
                           cursor_.ReadWord("an axis"));
    if (!absl::SimpleAtoi(axis, &output.axis) || output.axis < 0) {
      return cursor_.Error(absl::StrCat("`", axis, "` is not an axis"));
    }
    ASSAY_RETURN_IF_ERROR(cursor_.Expect(","));
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("extent"));
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("="));
    ASSAY_ASSIGN_OR_RETURN(output.extent, ReadValue());
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("}"));
    return output;
  }

  absl::StatusOr<TensorType> ReadType() {
    ASSAY_ASSIGN_OR_RETURN(const absl::string_view text,
                           cursor_.ReadTypeText());
    absl::StatusOr<TensorType> type = TensorType::Parse(text);
    if (!type.ok()) return cursor_.Error(type.status().message());
    return type;
  }

  absl::StatusOr<ValueRef> ReadValue() {
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("%"));
    ValueRef value;
    const bool quoted = cursor_.NextIs('"');
    ASSAY_ASSIGN_OR_RETURN(value.name, cursor_.ReadName("a value"));
    value.line = cursor_.line();
    const bool is_id = !quoted && value.name[0] >= '0' && value.name[0] <= '9';
    if (quoted) value.name = InputKey(value.name);
    if (!is_id) return value;
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(value.name, absl::MaxSplits('.', 1));
    int id = 0;
    if (!absl::SimpleAtoi(parts.first, &id) ||
        (!parts.second.empty() &&
         !absl::SimpleAtoi(parts.second, &value.index))) {
      return cursor_.Error(absl::StrCat("`%", value.name, "` is not a value"));
    }
    value.name = absl::StrCat(id);
    return value;
  }

  absl::StatusOr<NodeText> ReadNode(bool is_body) {
    NodeText node;
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("%"));
    node.line = cursor_.line();
    ASSAY_ASSIGN_OR_RETURN(const absl::string_view id,
                           cursor_.ReadWord("a node id"));
    if (!absl::SimpleAtoi(id, &node.id) || node.id < 0 ||
        node.id > std::numeric_limits<int>::max() / 2) {
      return cursor_.Error(absl::StrCat("`%", id, "` is not a node id"));
    }
    ASSAY_RETURN_IF_ERROR(cursor_.Expect(":"));
    ASSAY_RETURN_IF_ERROR(ReadTypes(&node.types));
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("="));
    ASSAY_ASSIGN_OR_RETURN(const absl::string_view op,
                           cursor_.ReadWord("an operator"));
    const std::optional<OpKind> kind = FindOp(op);
    if (!kind.has_value() || *kind == OpKind::kInput) {
      return cursor_.Error(absl::StrCat("`", op, "` is not an operator"));
    }
    node.kind = *kind;
    if (is_body && node.kind == OpKind::kKernel) {
      return cursor_.Error("a kernel is inside a kernel");
    }
    ASSAY_RETURN_IF_ERROR(ReadOperands(&node));
    return node;
  }

  absl::Status ReadTypes(std::vector<TensorType>* types) {
    if (!cursor_.Try("(")) {
      ASSAY_ASSIGN_OR_RETURN(TensorType type, ReadType());
      types->push_back(std::move(type));
      return absl::OkStatus();
    }
    while (!cursor_.Try(")")) {
      if (!types->empty()) ASSAY_RETURN_IF_ERROR(cursor_.Expect(","));
      ASSAY_ASSIGN_OR_RETURN(TensorType type, ReadType());
      types->push_back(std::move(type));
    }
    if (types->empty()) return cursor_.Error("a node has no type");
    return absl::OkStatus();
  }

  absl::Status ReadOperands(NodeText* node) {
    if (node->kind != OpKind::kConstant) {
      ASSAY_RETURN_IF_ERROR(cursor_.Expect("("));
      while (!cursor_.Try(")")) {
        if (!node->inputs.empty()) ASSAY_RETURN_IF_ERROR(cursor_.Expect(","));
        ASSAY_ASSIGN_OR_RETURN(ValueRef value, ReadValue());
        node->inputs.push_back(std::move(value));
      }
    }
    if (node->kind == OpKind::kKernel) {
      ASSAY_RETURN_IF_ERROR(cursor_.Expect("{"));
      ASSAY_ASSIGN_OR_RETURN(GraphText body, ReadGraph(/*is_body=*/true));
      node->body = std::make_shared<GraphText>(std::move(body));
      ASSAY_RETURN_IF_ERROR(cursor_.Expect("}"));
    } else if (cursor_.Try("{")) {
      while (!cursor_.Try("}")) {
        if (!node->fields.empty()) ASSAY_RETURN_IF_ERROR(cursor_.Expect(","));
        ASSAY_ASSIGN_OR_RETURN(const absl::string_view name,
                               cursor_.ReadWord("an attribute"));
        ASSAY_RETURN_IF_ERROR(cursor_.Expect("="));
        ASSAY_ASSIGN_OR_RETURN(const absl::string_view value,
                               cursor_.ReadValueText());
        node->fields.push_back({name, value});
      }
    }
    if (cursor_.NextIs('"')) {
      ASSAY_ASSIGN_OR_RETURN(node->name, cursor_.ReadQuoted());
    }
    if (!node->name.empty()) node->sources = {node->name};
    if (!cursor_.Try("from")) return absl::OkStatus();
    node->sources.clear();
    ASSAY_RETURN_IF_ERROR(cursor_.Expect("["));
    while (!cursor_.Try("]")) {
      if (!node->sources.empty()) ASSAY_RETURN_IF_ERROR(cursor_.Expect(","));
      ASSAY_ASSIGN_OR_RETURN(std::string source, cursor_.ReadQuoted());
      node->sources.push_back(std::move(source));
    }
    return absl::OkStatus();
  }

  TextCursor cursor_;
};

}  // namespace

// Builds nodes from the parsed records. A class because only a friend of Graph
// may set node ids.
class GraphParser {
 public:
  explicit GraphParser(const ConstantStore* store) : store_(store) {}

  absl::StatusOr<std::unique_ptr<Graph>> Build(const GraphText& text) {
    auto graph = std::make_unique<Graph>(text.name);
    absl::flat_hash_set<int> taken;
    for (const NodeText& node : text.nodes) {
      if (!taken.insert(node.id).second) {
        return At(node.line, absl::InvalidArgumentError(absl::StrCat(
                                 "`%", node.id, "` is defined twice")));
      }
    }
    Names names;
    for (const auto& [name, type] : text.inputs) {
      while (taken.contains(graph->next_id_)) ++graph->next_id_;
      ASSAY_ASSIGN_OR_RETURN(Node * input, graph->AddInput(name, type));
      names[InputKey(name)] = input;
    }
    int next_id = graph->next_id_;
    for (const NodeText& node : text.nodes) {
      graph->next_id_ = node.id;
      ASSAY_RETURN_IF_ERROR(At(node.line, BuildNode(node, &names, &*graph)));
      next_id = std::max(next_id, node.id + 1);
    }
    graph->next_id_ = next_id;
    for (const OutputText& output : text.outputs) {
      ASSAY_ASSIGN_OR_RETURN(const Value value, Find(output.value, names));
      graph->AddOutput(output.name, value);
    }
    for (size_t i = 0; i < text.outputs.size(); ++i) {
      const OutputText& output = text.outputs[i];
      if (output.axis < 0) continue;
      ASSAY_ASSIGN_OR_RETURN(const Value extent, Find(output.extent, names));
      graph->BoundOutput(static_cast<int>(i), output.axis, extent);
    }
    return graph;
  }

 private:
  using Names = absl::flat_hash_map<std::string, Node*>;

  static absl::StatusOr<Value> Find(const ValueRef& ref, const Names& names) {
    auto it = names.find(ref.name);
    if (it == names.end() || ref.index < 0 ||
        ref.index >= it->second->num_outputs()) {
      return At(ref.line,
                absl::InvalidArgumentError(absl::StrCat(
                    "`%", ref.name, "` is not defined before it is used")));
    }
    return Value{it->second, ref.index};
  }

  absl::Status BuildNode(const NodeText& text, Names* names, Graph* graph) {
    Node* node = nullptr;
    if (text.kind == OpKind::kConstant) {
      if (text.types.size() != 1) {
        return absl::InvalidArgumentError("a constant has one type");
      }
      ASSAY_ASSIGN_OR_RETURN(NDArray value,
                             ParseConstant(text.types[0], text.fields, store_));
      node = graph->AddConstant(std::move(value), text.name);
    } else {
      std::vector<Value> inputs;
      for (const ValueRef& ref : text.inputs) {
        const auto value = Find(ref, *names);
        if (!value.ok()) {
          return absl::InvalidArgumentError(absl::StrCat(
              "`%", ref.name, "` is not defined before it is used"));
        }
        inputs.push_back(*value);
      }
      Attrs attrs;
      if (text.kind == OpKind::kKernel) {
        ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<Graph> body, Build(*text.body));
        attrs = KernelAttrs{std::move(body)};
      } else {
        ASSAY_ASSIGN_OR_RETURN(attrs, ParseAttrs(text.kind, text.fields));
      }
      ASSAY_ASSIGN_OR_RETURN(
          node, graph->AddNode(text.kind, std::move(attrs), inputs, text.name));
    }
    graph->SetSources(node, text.sources);
    (*names)[absl::StrCat(text.id)] = node;
    if (text.types.size() == 1 && text.kind != OpKind::kKernel) {
      ASSAY_RETURN_IF_ERROR(graph->SetEncoding(node, text.types[0].encoding));
    }
    if (node->types() == text.types) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("`%", text.id, "` is declared ", text.types[0].ToString(),
                     " but is ", node->type().ToString()));
  }

  const ConstantStore* store_;
};

absl::StatusOr<std::unique_ptr<Graph>> ParseGraph(absl::string_view text,
                                                  const ConstantStore* store) {
  ASSAY_ASSIGN_OR_RETURN(const GraphText parsed, Reader(text).ReadAll());
  return GraphParser(store).Build(parsed);
}

ConstantStore CollectConstants(const Graph& graph) {
  ConstantStore store;
  for (const auto& node : graph.node_list()) {
    if (node->kind() == OpKind::kConstant) {
      const auto& constant = node->attrs_as<ConstantAttrs>();
      store[constant.digest] = constant.value;
    } else if (node->kind() == OpKind::kKernel) {
      for (auto& entry :
           CollectConstants(*node->attrs_as<KernelAttrs>().body)) {
        store.insert(std::move(entry));
      }
    }
  }
  return store;
}

}  // namespace assay::graph
