#include "compiler/graph/printer.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/graph/constant_text.h"

namespace assay::graph {
namespace {

std::string Quoted(absl::string_view text) {
  return absl::StrCat("\"", absl::CEscape(text), "\"");
}

// Quoted unless the parser would read it as one word.
std::string NameText(absl::string_view name) {
  const bool word =
      !name.empty() && (absl::ascii_isalpha(name[0]) || name[0] == '_') &&
      std::all_of(name.begin(), name.end(), [](char c) {
        return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '/';
      });
  return word ? std::string(name) : Quoted(name);
}

std::string ResultName(const Node& node, int index) {
  if (node.kind() == OpKind::kInput) {
    return absl::StrCat("%", NameText(node.name()));
  }
  if (index == 0) return absl::StrCat("%", node.id());
  return absl::StrCat("%", node.id(), ".", index);
}

std::string TypesText(const Node& node) {
  std::vector<std::string> types;
  for (const TensorType& type : node.types()) types.push_back(type.ToString());
  if (types.size() == 1) return types[0];
  return absl::StrCat("(", absl::StrJoin(types, ", "), ")");
}

void AppendGraph(const Graph& graph, int indent, std::string* out);

void AppendNode(const Node& node, int indent, std::string* out) {
  absl::StrAppend(out, ResultName(node, 0), ": ", TypesText(node), " = ",
                  OpName(node.kind()));
  if (node.kind() == OpKind::kConstant) {
    absl::StrAppend(out, " ", ConstantToString(node.attrs_as<ConstantAttrs>()));
  } else {
    absl::StrAppend(out, "(",
                    absl::StrJoin(node.inputs(), ", ",
                                  [](std::string* s, Value v) {
                                    absl::StrAppend(s, ToString(v));
                                  }),
                    ")");
    if (node.kind() == OpKind::kKernel) {
      absl::StrAppend(out, " {\n");
      AppendGraph(*node.attrs_as<KernelAttrs>().body, indent + 2, out);
      out->append(indent, ' ');
      out->append("}");
    } else if (const std::string attrs = AttrsToString(node.attrs());
               !attrs.empty()) {
      absl::StrAppend(out, " ", attrs);
    }
  }
  if (!node.name().empty()) absl::StrAppend(out, " ", Quoted(node.name()));
  const std::vector<std::string>& sources = node.sources();
  const bool plain = node.name().empty()
                         ? sources.empty()
                         : sources.size() == 1 && sources[0] == node.name();
  if (plain) return;
  absl::StrAppend(out, " from [",
                  absl::StrJoin(sources, ", ",
                                [](std::string* s, const std::string& name) {
                                  absl::StrAppend(s, Quoted(name));
                                }),
                  "]");
}

// `scores=%4 {axis=0, extent=%4.1}`
void AppendOutput(const Graph& graph, const Output& output, std::string* out) {
  if (!output.name.empty()) absl::StrAppend(out, NameText(output.name), "=");
  absl::StrAppend(out, ToString(output.value));
  if (!output.is_bounded()) return;
  absl::StrAppend(out, " {axis=", output.axis,
                  ", extent=", ToString(graph.outputs()[output.extent].value),
                  "}");
}

void AppendGraph(const Graph& graph, int indent, std::string* out) {
  out->append(indent, ' ');
  absl::StrAppend(out, "graph ", NameText(graph.name()), "(",
                  absl::StrJoin(graph.inputs(), ", ",
                                [](std::string* s, const Node* input) {
                                  absl::StrAppend(s, ResultName(*input, 0),
                                                  ": ",
                                                  input->type().ToString());
                                }),
                  ") -> (",
                  absl::StrJoin(graph.data_outputs(), ", ",
                                [&](std::string* s, const Output& output) {
                                  AppendOutput(graph, output, s);
                                }),
                  ") {\n");
  for (const auto& node : graph.node_list()) {
    if (node->kind() == OpKind::kInput) continue;
    out->append(indent + 2, ' ');
    AppendNode(*node, indent + 2, out);
    out->append("\n");
  }
  out->append(indent, ' ');
  out->append("}\n");
}

}  // namespace

std::string ToString(const Graph& graph) {
  std::string text;
  AppendGraph(graph, 0, &text);
  return text;
}

std::string ToString(const Node& node) {
  std::string text;
  AppendNode(node, 0, &text);
  return text;
}

std::string ToString(Value value) {
  if (value.node == nullptr) return "%null";
  return ResultName(*value.node, value.index);
}

std::ostream& operator<<(std::ostream& os, const Graph& graph) {
  return os << ToString(graph);
}

std::ostream& operator<<(std::ostream& os, const Node& node) {
  return os << ToString(node);
}

std::ostream& operator<<(std::ostream& os, Value value) {
  return os << ToString(value);
}

}  // namespace assay::graph
