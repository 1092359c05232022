#include "compiler/graph/passes/pad_filters.h"

#include <vector>

#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

bool Applies(const Node& node) {
  if (node.kind() != OpKind::kConv2d) return false;
  const auto& attrs = node.attrs_as<Conv2dAttrs>();
  return attrs.groups == 1 && attrs.in_block == 0 &&
         node.input(1).type().dtype == DType::Float32() &&
         node.input(1).node->kind() == OpKind::kConstant;
}

absl::Status Pad(Graph& graph, Node* conv, int64_t filters) {
  const Value weights = conv->input(1);
  const int64_t before = weights.type().shape[0];
  ASSAY_ASSIGN_OR_RETURN(
      Node * padded,
      graph.AddNode(OpKind::kPad,
                    PadAttrs{{0, 0, 0, 0}, {filters - before, 0, 0, 0}},
                    {weights}, "", conv));
  ASSAY_ASSIGN_OR_RETURN(
      Node * wide,
      graph.AddNode(OpKind::kConv2d, conv->attrs(), {conv->input(0), {padded}},
                    conv->name(), conv));
  ASSAY_ASSIGN_OR_RETURN(
      Node * slice,
      graph.AddNode(OpKind::kSlice,
                    SliceAttrs{{0, 0, 0, 0}, {1, 1, 1, 1}, conv->type().shape},
                    {{wide}}, "", conv));
  graph.MergeSources(wide, conv);
  graph.SetSources(slice, wide->sources());
  graph.ReplaceAllUses({conv}, {slice});
  graph.Erase(conv);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> PadFilters::Run(Graph& graph) {
  if (choose_ == nullptr) return false;
  bool changed = false;
  const std::vector<Node*> nodes = graph.Nodes();
  for (Node* node : nodes) {
    if (!Applies(*node)) continue;
    const int64_t filters = node->input(1).type().shape[0];
    const int64_t wanted = choose_(filters);
    CHECK_GE(wanted, filters) << node->Label();
    if (wanted == filters) continue;
    ASSAY_RETURN_IF_ERROR(Pad(graph, node, wanted));
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
