#include "compiler/graph/passes/assign_encodings.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/passes/encoding_plan.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// One run of the pass. Visits the nodes in order, so the operands of a node
// have their final encodings when it is visited.
class Assigner {
 public:
  Assigner(Graph& graph, const EncodingPlan& plan)
      : graph_(graph), plan_(plan) {}

  absl::Status Run() {
    for (Node* node : graph_.Nodes()) ASSAY_RETURN_IF_ERROR(Visit(node));
    for (size_t i = 0; i < graph_.outputs().size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(
          const Value plain,
          StoredAs(graph_.outputs()[i].value, Plain(), /*before=*/nullptr));
      graph_.ReplaceOutput(static_cast<int>(i), plain);
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Visit(Node* node) {
    const auto planned = plan_.find(node);
    for (int i = 0; i < node->num_inputs(); ++i) {
      const Encoding wanted =
          planned == plan_.end()
              ? Encoding()
              : planned->second.operands[static_cast<size_t>(i)];
      ASSAY_ASSIGN_OR_RETURN(const Value operand,
                             StoredAs(node->input(i), wanted, node));
      graph_.ReplaceInput(node, i, operand);
    }
    if (planned == plan_.end()) return absl::OkStatus();
    return graph_.SetEncoding(node, planned->second.result);
  }

  // Returns `value` in this encoding. Unless it exists already, an `encode` is
  // inserted before `before`, or at the end if that is null.
  absl::StatusOr<Value> StoredAs(Value value, const Encoding& encoding,
                                 Node* before) {
    if (value.type().encoding == encoding) return value;
    std::vector<std::pair<Encoding, Value>>& known = encoded_[value];
    for (const auto& [other, copy] : known) {
      if (other == encoding) return copy;
    }
    ASSAY_ASSIGN_OR_RETURN(const Value encoded,
                           InsertEncode(graph_, value, encoding, before));
    graph_.SetSources(encoded.node, value.node->sources());
    known.emplace_back(encoding, encoded);
    return encoded;
  }

  Graph& graph_;
  const EncodingPlan& plan_;
  absl::flat_hash_map<Value, std::vector<std::pair<Encoding, Value>>> encoded_;
};

}  // namespace

absl::StatusOr<bool> AssignEncodings::Run(Graph& graph) {
  const EncodingPlan plan = PlanEncodings(graph, costs_);
  if (plan.empty()) return false;
  ASSAY_RETURN_IF_ERROR(Assigner(graph, plan).Run());
  return true;
}

}  // namespace assay::graph
