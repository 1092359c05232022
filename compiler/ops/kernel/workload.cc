#include "compiler/ops/kernel/workload.h"

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/graph/constant_text.h"
#include "runtime/base/sha256.h"

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

std::string WorkloadKey(const graph::Graph& body) {
  return Sha256Hex(WorkloadText(body)).substr(0, kKeyDigits);
}

}  // namespace assay::ops
