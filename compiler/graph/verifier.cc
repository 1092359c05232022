#include "compiler/graph/verifier.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/infer/infer_types.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

template <typename... Args>
absl::Status Broken(const Args&... args) {
  return absl::InternalError(absl::StrCat(args...));
}

class Verifier {
 public:
  Verifier(const Graph& graph, bool is_body)
      : graph_(graph), is_body_(is_body) {}

  absl::Status Run() {
    for (const auto& node : graph_.node_list()) nodes_.insert(node.get());
    for (const auto& node : graph_.node_list()) {
      ASSAY_RETURN_IF_ERROR(CheckNode(*node));
      ASSAY_RETURN_IF_ERROR(CheckOperands(*node));
      ASSAY_RETURN_IF_ERROR(CheckUsers(*node));
      ASSAY_RETURN_IF_ERROR(CheckTypes(*node));
      earlier_.insert(node.get());
    }
    ASSAY_RETURN_IF_ERROR(CheckInputs());
    return CheckOutputs();
  }

 private:
  absl::Status CheckNode(const Node& node) {
    if (!ids_.insert(node.id()).second) {
      return Broken("node ", node.Label(), ": id ", node.id(),
                    " is not unique");
    }
    if (!AttrsMatchOp(node.kind(), node.attrs())) {
      return Broken("node ", node.Label(),
                    ": the attributes are those of another operator");
    }
    return absl::OkStatus();
  }

  absl::Status CheckOperands(const Node& node) {
    for (int i = 0; i < node.num_inputs(); ++i) {
      const Value input = node.input(i);
      if (!nodes_.contains(input.node)) {
        return Broken("node ", node.Label(), ": operand ", i,
                      " is not in the graph");
      }
      if (!earlier_.contains(input.node)) {
        return Broken("node ", node.Label(), ": operand ", i, " (",
                      input.node->Label(), ") comes later in the list");
      }
      if (input.index < 0 || input.index >= input.node->num_outputs()) {
        return Broken("node ", node.Label(), ": operand ", i, " is result ",
                      input.index, " of ", input.node->Label(),
                      ", which does not exist");
      }
      const absl::Span<const Use> users = input.node->users();
      const auto uses =
          std::count_if(users.begin(), users.end(), [&](const Use& use) {
            return use.user == &node && use.operand == i;
          });
      if (uses != 1) {
        return Broken("node ", node.Label(), ": operand ", i, " is listed ",
                      uses, " times as a use of ", input.node->Label());
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckUsers(const Node& node) {
    for (const Use& use : node.users()) {
      if (!nodes_.contains(use.user) || use.operand < 0 ||
          use.operand >= use.user->num_inputs() ||
          use.user->input(use.operand).node != &node) {
        return Broken("node ", node.Label(),
                      ": the user list holds a node that does not use it");
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckTypes(const Node& node) {
    if (node.kind() == OpKind::kKernel) return CheckKernel(node);
    std::vector<TensorType> expected;
    if (node.kind() == OpKind::kInput) {
      if (node.num_outputs() != 1 || node.num_inputs() != 0) {
        return Broken("node ", node.Label(),
                      ": an input has one result and no operand");
      }
      return CheckEncodings(node);
    }
    if (node.kind() == OpKind::kConstant) {
      const NDArray& value = node.attrs_as<ConstantAttrs>().value;
      expected.push_back({value.dtype(), value.shape()});
    } else {
      std::vector<TensorType> inputs;
      for (Value input : node.inputs()) inputs.push_back(input.type());
      auto inferred = InferTypes(node.kind(), node.attrs(), inputs);
      if (!inferred.ok()) {
        return Broken("node ", node.Label(), ": ", inferred.status().message());
      }
      expected = *std::move(inferred);
    }
    bool equal = expected.size() == node.types().size();
    for (int i = 0; equal && i < node.num_outputs(); ++i) {
      equal = expected[static_cast<size_t>(i)].plain() == node.type(i).plain();
    }
    if (!equal) {
      return Broken("node ", node.Label(), ": type is ", node.type().ToString(),
                    " but inference gives ", expected[0].ToString());
    }
    return CheckEncodings(node);
  }

  absl::Status CheckEncodings(const Node& node) {
    for (const TensorType& type : node.types()) {
      const auto stored = StoredType(type.encoding, {type.dtype, type.shape});
      if (!stored.ok()) {
        return Broken("node ", node.Label(), ": ", stored.status().message());
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckKernel(const Node& node) {
    const Graph* body = node.attrs_as<KernelAttrs>().body.get();
    if (body == nullptr) {
      return Broken("node ", node.Label(), ": the kernel has no body");
    }
    if (is_body_) {
      return Broken("node ", node.Label(), ": a kernel is inside a kernel");
    }
    if (absl::Status status = Verifier(*body, true).Run(); !status.ok()) {
      return Broken("node ", node.Label(), ": body: ", status.message());
    }
    bool same = body->inputs().size() == node.inputs().size() &&
                body->outputs().size() == node.types().size();
    for (int i = 0; same && i < node.num_inputs(); ++i) {
      same = body->inputs()[i]->type() == node.input(i).type();
    }
    for (int i = 0; same && i < node.num_outputs(); ++i) {
      same = body->outputs()[i].value.type() == node.type(i);
    }
    if (same) return absl::OkStatus();
    return Broken("node ", node.Label(),
                  ": the types are not those of the kernel's body");
  }

  absl::Status CheckInputs() {
    absl::flat_hash_set<std::string> names;
    absl::flat_hash_set<const Node*> listed;
    for (const Node* input : graph_.inputs()) {
      if (!nodes_.contains(input) || input->kind() != OpKind::kInput) {
        return Broken("the input list holds a node that is not an input");
      }
      if (!listed.insert(input).second || !names.insert(input->name()).second) {
        return Broken("graph input ", input->Label(), " is listed twice");
      }
    }
    for (const auto& node : graph_.node_list()) {
      if (node->kind() == OpKind::kInput && !listed.contains(node.get())) {
        return Broken("node ", node->Label(), ": not in the input list");
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckOutputs() {
    if (graph_.outputs().empty()) return Broken("the graph has no output");
    for (const Output& output : graph_.outputs()) {
      if (!nodes_.contains(output.value.node) || output.value.index < 0 ||
          output.value.index >= output.value.node->num_outputs()) {
        return Broken("graph output `", output.name,
                      "` is not a result of a node of the graph");
      }
    }
    for (const Output& output : graph_.outputs()) {
      ASSAY_RETURN_IF_ERROR(CheckBound(output));
    }
    return absl::OkStatus();
  }

  absl::Status CheckBound(const Output& output) {
    if (!output.is_bounded()) return absl::OkStatus();
    const auto count = static_cast<int>(graph_.outputs().size());
    if (output.axis < 0 || output.axis >= output.value.type().rank() ||
        output.extent >= count || !graph_.outputs()[output.extent].is_extent) {
      return Broken("graph output `", output.name,
                    "` is bounded along an axis that it does not have, or by "
                    "no extent");
    }
    const TensorType& extent = graph_.outputs()[output.extent].value.type();
    if (extent.dtype == DType::Int64() && extent.num_elements() == 1) {
      return absl::OkStatus();
    }
    return Broken("graph output `", output.name, "` has an extent of type ",
                  extent.ToString(), "; int64 of one element is needed");
  }

  const Graph& graph_;
  const bool is_body_;
  absl::flat_hash_set<const Node*> nodes_;
  absl::flat_hash_set<const Node*> earlier_;
  absl::flat_hash_set<int> ids_;
};

}  // namespace

absl::Status Verify(const Graph& graph) {
  absl::Status status = Verifier(graph, /*is_body=*/false).Run();
  if (status.ok()) return status;
  return Broken("graph `", graph.name(), "`: ", status.message());
}

}  // namespace assay::graph
