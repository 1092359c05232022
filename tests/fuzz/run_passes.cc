#include "tests/fuzz/run_passes.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "compiler/graph/passes/pass.h"
#include "compiler/graph/pipeline/pass_selection.h"
#include "compiler/graph/pipeline/pipeline.h"
#include "compiler/graph/testing/fixed_encodings.h"
#include "runtime/base/dtype.h"
#include "runtime/base/status_macros.h"

namespace assay::fuzz {
namespace {

using graph::Attrs;
using graph::OpKind;
using graph::TensorType;

// The largest divisor of `n` that is at most 4.
int64_t Block(int64_t n) {
  int64_t block = std::clamp<int64_t>(n, 1, 4);
  while (n % block != 0) --block;
  return block;
}

graph::Encoding PanelsOf(OpKind kind, absl::Span<const TensorType> operands) {
  const bool dense = kind == OpKind::kDense;
  const TensorType &data = operands[0], &weights = operands[1];
  if (data.rank() != 2 || weights.rank() != 2) return graph::Plain();
  graph::Panels panels;
  panels.width = 4;
  panels.depth = (weights.shape[dense ? 1 : 0] + 3) / 4 * 4;
  panels.factors = data.dtype.is_float() ? 1 : 2;
  panels.transposed = dense;
  return panels;
}

// A target on which everything pays, so that every pass has work.
class EverythingPays : public graph::TargetCosts {
 public:
  std::vector<graph::EncodingChoice> Choices(
      OpKind kind, const Attrs& attrs,
      absl::Span<const TensorType> operands) const override {
    if (kind == OpKind::kDense || kind == OpKind::kMatmul) {
      return {{{graph::Plain(), PanelsOf(kind, operands)}, graph::Plain()}};
    }
    if (operands[0].dtype != DType::Float32()) return {};
    const Shape& weights = operands[1].shape;
    if (kind == OpKind::kConv2d) {
      const int64_t groups = std::get<graph::Conv2dAttrs>(attrs).groups;
      return {graph::InBlocks(Block(weights[1]), Block(weights[0] / groups))};
    }
    if (kind != OpKind::kConv2dTranspose) return {};
    const int64_t groups = std::get<graph::Conv2dTransposeAttrs>(attrs).groups;
    graph::FilterBlocks filters;
    filters.in = Block(weights[0] / groups);
    filters.out = Block(weights[1]);
    filters.transposed_groups = groups;
    return {{{graph::ChannelBlocks{filters.in}, filters},
             graph::ChannelBlocks{filters.out}}};
  }
  bool RunsAsBatch(const graph::Conv2dAttrs&, const TensorType&,
                   const graph::Conv2dAttrs&, const TensorType&,
                   const TensorType&) const override {
    return true;
  }
  bool Combines(OpKind, const Attrs&, const TensorType&,
                absl::Span<const TensorType>) const override {
    return true;
  }
  int64_t PaddedChannels(DType dtype, int64_t channels) const override {
    return dtype.is_float() && channels > 6 ? channels : (channels + 1) / 2 * 2;
  }
  int64_t PaddedFilters(DType, int64_t filters, bool sliced) const override {
    return sliced ? (filters + 2) / 3 * 3 : (filters + 3) / 4 * 4;
  }
  bool MultipliesUnsignedOnly() const override { return true; }
};

graph::PipelineOptions Choices() {
  graph::PipelineOptions options;
  options.costs = std::make_shared<EverythingPays>();
  options.fusion.view_alignment = 64;
  return options;
}

}  // namespace

absl::Status OptimizeAll(graph::Graph& graph) {
  const graph::PipelineOptions choices = Choices();
  ASSAY_ASSIGN_OR_RETURN(const graph::SelectedPasses selected,
                         graph::SelectPasses(graph::Pipeline(), {}));
  ASSAY_ASSIGN_OR_RETURN(const graph::PassList passes,
                         graph::MakePasses(selected.names, choices));
  graph::PassRunOptions options;
  options.verify_changed = true;
  return graph::RunPasses(passes, graph, options);
}

}  // namespace assay::fuzz
