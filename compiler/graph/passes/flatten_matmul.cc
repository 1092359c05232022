#include "compiler/graph/passes/flatten_matmul.h"

#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

bool MultipliesByOneMatrix(const Node& node) {
  if (node.kind() != OpKind::kMatmul) return false;
  const Value x = node.input(0), w = node.input(1);
  return x.type().rank() != 2 && w.type().rank() == 2 &&
         w.node->kind() == OpKind::kConstant && x.type().num_elements() > 0 &&
         w.type().num_elements() > 0 && x.type().IsRowMajor() &&
         node.type().IsRowMajor();
}

absl::StatusOr<Value> Flattened(Graph& graph, Node* node) {
  const Value x = node->input(0), w = node->input(1);
  const int64_t depth = w.type().shape[0];
  const Shape rows = {x.type().num_elements() / depth, depth};
  ASSAY_ASSIGN_OR_RETURN(
      const Value matrix,
      Insert(graph, OpKind::kReshape, ReshapeAttrs{rows}, {x}, node));
  ASSAY_ASSIGN_OR_RETURN(
      const Value product,
      Insert(graph, OpKind::kMatmul, NoAttrs(), {matrix, w}, node));
  ASSAY_ASSIGN_OR_RETURN(
      const Value result,
      Insert(graph, OpKind::kReshape, ReshapeAttrs{node->type().shape},
             {product}, node));
  for (const Value added : {matrix, product, result}) {
    graph.MergeSources(added.node, node);
  }
  return result;
}

}  // namespace

absl::StatusOr<bool> FlattenMatmul::Run(Graph& graph) {
  bool changed = false;
  for (Node* node : graph.Nodes()) {
    if (!MultipliesByOneMatrix(*node)) continue;
    ASSAY_ASSIGN_OR_RETURN(const Value result, Flattened(graph, node));
    graph.ReplaceAllUses({node}, result);
    graph.Erase(node);
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
