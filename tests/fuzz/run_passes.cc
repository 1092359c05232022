#include "tests/fuzz/run_passes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/passes/pass.h"
#include "compiler/graph/passes/pass_selection.h"
#include "compiler/graph/passes/pipeline.h"
#include "compiler/graph/testing/fixed_layouts.h"
#include "runtime/base/dtype.h"
#include "runtime/base/status_macros.h"

namespace assay::fuzz {
namespace {

using graph::Attrs;
using graph::ConvLayout;
using graph::TensorType;

// The largest divisor of `n` that is at most 4.
int64_t Block(int64_t n) {
  int64_t block = std::clamp<int64_t>(n, 1, 4);
  while (n % block != 0) --block;
  return block;
}

bool Always(const Attrs&, const TensorType&, const std::vector<TensorType>&) {
  return true;
}

graph::PipelineOptions Choices() {
  graph::PipelineOptions options;
  options.pad_channels.data = [](DType dtype, int64_t channels) {
    return dtype.is_float() && channels > 6 ? channels : (channels + 1) / 2 * 2;
  };
  options.pad_channels.filters = [](DType, int64_t filters, bool sliced) {
    return sliced ? (filters + 2) / 3 * 3 : (filters + 3) / 4 * 4;
  };
  options.batch_pays = [](const graph::Conv2dAttrs&, const TensorType&,
                          const graph::Conv2dAttrs&, const TensorType&,
                          const TensorType&) { return true; };
  options.combine_conv2d = Always;
  options.combine_dense = Always;
  options.layout = graph::FixedLayouts(
      [](const graph::Conv2dAttrs& attrs, const TensorType& data,
         const TensorType& weights) -> std::optional<ConvLayout> {
        if (data.dtype != DType::Float32()) return std::nullopt;
        return ConvLayout{Block(weights.shape[1]),
                          Block(weights.shape[0] / attrs.groups)};
      },
      [](const graph::Conv2dTransposeAttrs& attrs, const TensorType& data,
         const TensorType& weights) -> std::optional<ConvLayout> {
        if (data.dtype != DType::Float32()) return std::nullopt;
        return ConvLayout{Block(weights.shape[0] / attrs.groups),
                          Block(weights.shape[1])};
      });
  options.unsigned_data = true;
  options.choose_panels = [](const graph::DenseProduct& product) {
    graph::DensePanels panels;
    panels.width = 4;
    panels.depth = (product.depth + 3) / 4 * 4;
    panels.factors = product.data.is_float() ? 1 : 2;
    panels.weight_type = product.weights;
    return std::optional<graph::DensePanels>(panels);
  };
  options.fusion.view_alignment = 64;
  return options;
}

}  // namespace

absl::Status OptimizeAll(graph::Graph& graph) {
  ASSAY_ASSIGN_OR_RETURN(const graph::SelectedPasses selected,
                         graph::SelectPasses(graph::Pipeline(), {}));
  ASSAY_ASSIGN_OR_RETURN(const graph::PassList passes,
                         graph::MakePasses(selected.names, Choices()));
  graph::PassRunOptions options;
  options.verify_changed = true;
  return graph::RunPasses(passes, graph, options);
}

}  // namespace assay::fuzz
