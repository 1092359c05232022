#include "compiler/ops/kernel/layout_policy.h"

#include <optional>
#include <vector>

#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/conv/conv2d.h"
#include "compiler/ops/conv/split_conv.h"
#include "compiler/ops/conv/transposed_conv.h"
#include "compiler/ops/conv/winograd.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/matmul/block_sizes.h"
#include "compiler/ops/matmul/tiled_matmul.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using graph::Attrs;
using graph::Conv2dAttrs;
using graph::ConvCandidate;
using graph::TensorType;

// Seconds to call a kernel that does nothing.
constexpr double kCallSeconds = 2e-6;
// The margin that modelled times of other blocks need (conv2d_layout.h).
constexpr double kModelMargin = 1.1;

// Combining pays if the convolutions are faster together and each of their
// results consists of whole blocks of one image, so that no copies are needed.
bool CombiningConv2dPays(const decltype(graph::LayoutCosts::conv)& candidates,
                         const Conv2dAttrs& attrs, const TensorType& data,
                         const std::vector<TensorType>& weights) {
  TensorType all = weights[0];
  all.shape[0] = 0;
  double apart = 0;
  for (const TensorType& part : weights) {
    all.shape[0] += part.shape[0];
    apart += candidates(attrs, data, part)[0].seconds;
  }
  const ConvCandidate together = candidates(attrs, data, all)[0];
  const int64_t block = together.layout.out_block;
  for (const TensorType& part : weights) {
    if (block == 0 || part.shape[0] % block != 0) return false;
  }
  return data.shape[0] == 1 && together.seconds < apart;
}

// A convolution of several images pays only with Winograd's algorithm. The data
// and the result are rearranged twice each: between the image and the batch,
// and between the layouts.
bool BatchPays(const graph::LayoutCosts& costs, const Conv2dAttrs& dilated,
               const TensorType& data, const Conv2dAttrs& batch,
               const TensorType& images, const TensorType& weights) {
  const ConvCandidate before = costs.conv(dilated, data, weights)[0];
  const ConvCandidate after = costs.conv(batch, images, weights)[0];
  if (after.layout.winograd == 0) return false;
  TensorType result = data;
  result.shape[1] = weights.shape[0];
  const double moves = 2 * (costs.transform(data) + costs.transform(result));
  return after.seconds + moves < before.seconds;
}

// The times of the cost model. The choice of the algorithm compares the direct
// loop of conv2d.h with Winograd's algorithm and with split numbers, and leaves
// im2col out, although that may be used later.
Conv2dTimes ModelledConv2dTimes(const target::Target& target) {
  Conv2dTimes times;
  times.fastest = ModelledLayoutTimes(target).conv2d;
  times.algorithm = [&target](const OpInstance& op) -> std::optional<double> {
    const auto& attrs = op.attrs_as<Conv2dAttrs>();
    if (attrs.winograd > 0) {
      return WinogradSeconds(op, target, DefaultWinogradConfig(op, target));
    }
    if (attrs.bfloat16_parts > 0) {
      if (!SplitConvApplies(op, target)) return std::nullopt;
      return SplitConvSeconds(op, target, DefaultSplitConvConfig(op, target));
    }
    return Conv2dSeconds(op, target, DefaultConv2dConfig(op, target));
  };
  times.margin = kModelMargin;
  return times;
}

void ChooseLayouts(const target::Target& target, const LayoutPolicy& policy,
                   graph::PipelineOptions& options) {
  const LayoutTimes& measured = policy.times;
  CHECK_EQ(measured.conv2d == nullptr, measured.transform == nullptr);
  // Measured times are compared for all algorithms and block sizes.
  Conv2dTimes times = {measured.conv2d, /*algorithm=*/nullptr};
  options.layout.transform = measured.transform;
  if (measured.conv2d == nullptr) {
    times = ModelledConv2dTimes(target);
    options.layout.transform = ModelledLayoutTimes(target).transform;
  }
  const InexactConv2d inexact = {policy.max_winograd, policy.split_floats};
  options.layout.conv = [&target, times, inexact](const Conv2dAttrs& attrs,
                                                  const TensorType& data,
                                                  const TensorType& weights) {
    return Conv2dLayouts(target, attrs, data, weights, inexact, times);
  };
  options.layout.transposed = [&target](
                                  const graph::Conv2dTransposeAttrs& attrs,
                                  const TensorType& data,
                                  const TensorType& weights) {
    const auto layout = ChooseTransposedBlocks(target, attrs, data, weights);
    return std::vector<ConvCandidate>{
        {layout.value_or(graph::ConvLayout()), 0}};
  };
  options.batch_pays = [costs = options.layout](
                           const Conv2dAttrs& dilated, const TensorType& data,
                           const Conv2dAttrs& batch, const TensorType& images,
                           const TensorType& weights) {
    return BatchPays(costs, dilated, data, batch, images, weights);
  };
  // Without dot products, no layout is better than another for integers.
  const int64_t depth =
      ChooseDotTile(target, DType::UInt(8), DType::Int(8)).depth;
  options.pad_channels.data = [&target, depth](DType dtype, int64_t channels) {
    return dtype.is_float() ? PaddedChannels(target, channels)
                            : CeilDiv(channels, depth) * depth;
  };
  options.pad_channels.filters = [&target, depth](DType dtype, int64_t filters,
                                                  bool sliced) {
    if (dtype.is_float()) return PaddedFilters(target, filters, sliced);
    return depth > 1 ? PaddedIntegerFilters(target, filters, sliced) : filters;
  };
  options.choose_panels = [&target, split = policy.split_floats](
                              const graph::DenseProduct& product) {
    const auto tiles = TilePanelsFor(target, product, split);
    if (tiles.has_value()) return tiles;
    return product.data.is_float()
               ? PanelsFor(target, product.rows, product.units, product.depth)
               : IntegerPanelsFor(target, product);
  };
  options.combine_conv2d = [candidates = options.layout.conv](
                               const Attrs& attrs, const TensorType& data,
                               const std::vector<TensorType>& weights) {
    return CombiningConv2dPays(candidates, std::get<Conv2dAttrs>(attrs), data,
                               weights);
  };
}

}  // namespace

LayoutTimes ModelledLayoutTimes(const target::Target& target) {
  LayoutTimes times;
  times.conv2d = [&target](const OpInstance& op) -> std::optional<double> {
    const std::vector<Candidate> candidates = Strategy(op, target);
    if (candidates.empty()) return std::nullopt;
    return candidates.front().seconds;
  };
  times.transform = [&target](const TensorType& image) {
    // The image is read and written.
    const int64_t bytes = 2 * image.num_bytes();
    return kCallSeconds + static_cast<double>(bytes) / Bandwidth(target, bytes);
  };
  return times;
}

graph::PipelineOptions PassOptions(const target::Target& target,
                                   const LayoutPolicy& policy) {
  graph::PipelineOptions options;
  if (policy.choose_layout) ChooseLayouts(target, policy, options);
  options.unsigned_data = MultipliesUnsignedOnly(target);
  // Combined, a single row is read once, and its parts need no copies.
  options.combine_dense = [](const Attrs&, const TensorType& data,
                             const std::vector<TensorType>&) {
    return data.shape[0] == 1;
  };
  return options;
}

}  // namespace assay::ops
