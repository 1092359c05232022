#include "compiler/graph/quantization/fake_quantization_to_integer.h"

#include <algorithm>
#include <vector>

#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/quantization/integer_products.h"
#include "compiler/graph/quantization/lookup_table.h"
#include "compiler/graph/quantization/requantization.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

using Rewrite = absl::StatusOr<bool> (*)(Graph&, Node*);

constexpr Rewrite kRewrites[] = {RewriteProduct,  RewriteSum,
                                 RewriteMean,     RewriteCast,
                                 RewriteQuantize, RewriteAsTable};

}  // namespace

absl::StatusOr<bool> FakeQuantizationToInteger::Run(Graph& graph) {
  const std::vector<Node*> nodes = graph.Nodes();
  if (std::none_of(nodes.begin(), nodes.end(), [](const Node* node) {
        return node->kind() == OpKind::kDequantize;
      })) {
    return false;
  }
  bool changed = false;
  // Nodes are in topological order, so the operands of each node have their
  // final form. A rewrite erases only nodes before its own.
  for (Node* node : nodes) {
    for (const Rewrite rewrite : kRewrites) {
      ASSAY_ASSIGN_OR_RETURN(const bool replaced, rewrite(graph, node));
      if (!replaced) continue;
      changed = true;
      break;
    }
  }
  // Also erases what a rewrite added before it found that it does not apply.
  ASSAY_RETURN_IF_ERROR(DeadCode().Run(graph).status());
  return changed || graph.num_nodes() != static_cast<int>(nodes.size());
}

}  // namespace assay::graph
