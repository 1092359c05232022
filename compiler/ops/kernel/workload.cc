#include "compiler/ops/kernel/workload.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compiler/graph/constant_text.h"
#include "compiler/graph/parser.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::ops {
namespace {

using graph::Node;
using graph::OpKind;
using graph::Value;

constexpr size_t kKeyDigits = 16;

std::string TypesText(const Node& node) {
  return absl::StrJoin(node.types(), ", ",
                       [](std::string* out, const graph::TensorType& type) {
                         out->append(type.ToString());
                       });
}

// Returns true if `word` is the name of an input (`letter` is p) or of a result
// (v).
bool IsName(absl::string_view word, char letter) {
  if (word.size() < 2 || word[0] != letter) return false;
  word.remove_prefix(1);
  return std::all_of(word.begin(), word.end(), absl::ascii_isdigit);
}

// Splits the text before each `p0: `, `v0: ` and `return `.
std::vector<std::string> Statements(absl::string_view text) {
  std::vector<std::string> statements;
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    const absl::string_view name = absl::StripSuffix(word, ":");
    const bool defines =
        name.size() < word.size() && (IsName(name, 'p') || IsName(name, 'v'));
    if (defines || word == "return" || statements.empty()) {
      statements.emplace_back(word);
    } else {
      absl::StrAppend(&statements.back(), " ", word);
    }
  }
  return statements;
}

// Returns the values of a list such as `p0, v1.1` in the syntax of graphs:
// `%p0, %1.1`.
std::string ValuesText(absl::string_view list) {
  return absl::StrJoin(absl::StrSplit(list, ", ", absl::SkipEmpty()), ", ",
                       [](std::string* out, absl::string_view name) {
                         absl::StrAppend(out, "%",
                                         absl::StripPrefix(name, "v"));
                       });
}

absl::Status StatementError(absl::string_view statement) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", statement, "` is no part of a workload"));
}

// Returns the line of a node: `%0: float32[1,8] = dense(%p0, %p1)`.
absl::StatusOr<std::string> NodeLine(absl::string_view statement) {
  const std::pair<absl::string_view, absl::string_view> sides =
      absl::StrSplit(statement, absl::MaxSplits(" = ", 1));
  const std::pair<absl::string_view, absl::string_view> result =
      absl::StrSplit(sides.first, absl::MaxSplits(": ", 1));
  const size_t open = sides.second.find('(');
  const size_t close = sides.second.find(')');
  if (!IsName(result.first, 'v') || close == absl::string_view::npos ||
      open > close) {
    return StatementError(statement);
  }
  const absl::string_view op = sides.second.substr(0, open);
  const absl::string_view operands =
      sides.second.substr(open + 1, close - open - 1);
  const std::string arguments =
      op == graph::OpName(OpKind::kConstant)
          ? ""
          : absl::StrCat("(", ValuesText(operands), ")");
  return absl::StrCat("%", result.first.substr(1), ": (", result.second,
                      ") = ", op, arguments, sides.second.substr(close + 1));
}

std::string AttrsText(const Node& node) {
  if (node.kind() == OpKind::kConstant) {
    return graph::ConstantToString(node.attrs_as<graph::ConstantAttrs>());
  }
  return graph::AttrsToString(node.attrs());
}

}  // namespace

std::string WorkloadText(const graph::Graph& body) {
  absl::flat_hash_map<const Node*, std::string> names;
  const auto name = [&](const Value& value) {
    const std::string& node = names.at(value.node);
    return value.index == 0 ? node : absl::StrCat(node, ".", value.index);
  };
  std::vector<std::string> parts;
  for (const Node* input : body.inputs()) {
    names[input] = absl::StrCat("p", parts.size());
    parts.push_back(absl::StrCat(names[input], ": ", input->type().ToString()));
  }
  int results = 0;
  for (const Node* node : body.Nodes()) {
    if (node->kind() == OpKind::kInput) continue;
    const std::string operands = absl::StrJoin(
        node->inputs(), ", ", [&](std::string* out, const Value& operand) {
          out->append(name(operand));
        });
    names[node] = absl::StrCat("v", results++);
    const std::string attrs = AttrsText(*node);
    parts.push_back(absl::StrCat(names[node], ": ", TypesText(*node), " = ",
                                 graph::OpName(node->kind()), "(", operands,
                                 ")", attrs.empty() ? "" : " ", attrs));
  }
  std::vector<std::string> outputs;
  for (const graph::Output& output : body.outputs()) {
    outputs.push_back(name(output.value));
  }
  parts.push_back(absl::StrCat("return ", absl::StrJoin(outputs, ", ")));
  return absl::StrJoin(parts, " ");
}

absl::StatusOr<std::unique_ptr<graph::Graph>> ParseWorkload(
    absl::string_view text) {
  std::vector<std::string> inputs, lines;
  std::string outputs;
  for (const std::string& statement : Statements(text)) {
    if (!outputs.empty()) return StatementError(statement);
    if (statement[0] == 'p') {
      inputs.push_back(absl::StrCat("%", statement));
    } else if (absl::string_view rest = statement;
               absl::ConsumePrefix(&rest, "return ")) {
      outputs = ValuesText(rest);
    } else {
      ASSAY_ASSIGN_OR_RETURN(std::string line, NodeLine(statement));
      lines.push_back(std::move(line));
    }
  }
  if (outputs.empty()) {
    return absl::InvalidArgumentError("the workload returns nothing");
  }
  return graph::ParseGraph(
      absl::StrCat("graph body(", absl::StrJoin(inputs, ", "), ") -> (",
                   outputs, ") {\n", absl::StrJoin(lines, "\n"), "\n}"));
}

std::string WorkloadKey(const graph::Graph& body) {
  return Sha256Hex(WorkloadText(body)).substr(0, kKeyDigits);
}

}  // namespace assay::ops
