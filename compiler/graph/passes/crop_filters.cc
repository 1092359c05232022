#include "compiler/graph/passes/crop_filters.h"

#include <cstdint>
#include <vector>

#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// The number of taps that one spatial axis loses at either end.
struct Crop {
  int64_t first = 0, last = 0;
};

// `i` is 0 for rows and 1 for columns.
Crop CropOf(const Node& conv, int i) {
  const auto& attrs = conv.attrs_as<Conv2dAttrs>();
  const int64_t data = conv.input(0).type().shape[2 + i];
  const int64_t taps = conv.input(1).type().shape[2 + i];
  const int64_t reach = (conv.type().shape[2 + i] - 1) * attrs.strides[i];
  const int64_t step = attrs.dilations[i];
  const int64_t before = attrs.padding[i], after = attrs.padding[2 + i];
  Crop crop;
  // A tap reads the positions from `at` to `at` + reach.
  const auto at = [&](int64_t tap) { return tap * step - before; };
  while (crop.first + 1 < taps && at(crop.first) + reach < 0 &&
         (crop.first + 1) * step <= before) {
    ++crop.first;
  }
  while (crop.first + crop.last + 1 < taps &&
         at(taps - 1 - crop.last) >= data && (crop.last + 1) * step <= after) {
    ++crop.last;
  }
  return crop;
}

// The convolution with the remaining taps; it keeps the name of the old one.
absl::Status Apply(Graph& graph, Node* conv, const Crop (&crops)[2]) {
  auto attrs = conv->attrs_as<Conv2dAttrs>();
  SliceAttrs slice = {{0, 0, 0, 0}, {1, 1, 1, 1}, {}};
  slice.sizes = conv->input(1).type().shape;
  for (int i = 0; i < 2; ++i) {
    slice.begins[2 + i] = crops[i].first;
    slice.sizes[2 + i] -= crops[i].first + crops[i].last;
    attrs.padding[i] -= crops[i].first * attrs.dilations[i];
    attrs.padding[2 + i] -= crops[i].last * attrs.dilations[i];
  }
  ASSAY_ASSIGN_OR_RETURN(
      Node * weights,
      graph.AddNode(OpKind::kSlice, slice, {conv->input(1)}, "", conv));
  ASSAY_ASSIGN_OR_RETURN(
      Node * cropped,
      graph.AddNode(OpKind::kConv2d, attrs, {conv->input(0), {weights}},
                    conv->name(), conv));
  graph.MergeSources(cropped, conv);
  graph.ReplaceAllUses({conv}, {cropped});
  graph.Erase(conv);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> CropFilters::Run(Graph& graph) {
  bool changed = false;
  const std::vector<Node*> nodes = graph.Nodes();
  for (Node* node : nodes) {
    if (node->kind() != OpKind::kConv2d ||
        node->attrs_as<Conv2dAttrs>().pad_value != 0 ||
        node->input(1).node->kind() != OpKind::kConstant) {
      continue;
    }
    const Crop crops[2] = {CropOf(*node, 0), CropOf(*node, 1)};
    if (crops[0].first + crops[0].last + crops[1].first + crops[1].last == 0) {
      continue;
    }
    ASSAY_RETURN_IF_ERROR(Apply(graph, node, crops));
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
