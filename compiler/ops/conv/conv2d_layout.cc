#include "compiler/ops/conv/conv2d_layout.h"

#include <algorithm>
#include <set>

#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/op/winograd.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

using graph::Conv2dAttrs;
using graph::ConvCandidate;
using graph::ConvLayout;
using graph::OpKind;
using graph::TensorType;

// The float32 convolution in a blocked layout; nullopt if type inference
// rejects it.
std::optional<OpInstance> Instance(const Conv2dAttrs& plain,
                                   const TensorType& data,
                                   const TensorType& weights,
                                   const ConvLayout& layout) {
  OpInstance op;
  op.kind = OpKind::kConv2d;
  Conv2dAttrs attrs = plain;
  attrs.in_block = layout.in_block;
  attrs.out_block = layout.out_block;
  attrs.winograd = layout.winograd;
  const Shape &d = data.shape, &w = weights.shape;
  const TensorType blocked = {
      data.dtype, {d[0], d[1] / layout.in_block, d[2], d[3], layout.in_block}};
  TensorType packed = weights;
  if (layout.winograd > 0) {
    const int64_t alpha = layout.winograd + 2;
    packed.shape = {alpha, alpha, w[0] / layout.weight_block, w[1],
                    layout.weight_block};
  } else {
    packed.shape = {w[0] / layout.out_block, w[1] / layout.in_block, w[2], w[3],
                    layout.in_block,         layout.out_block};
  }
  op.attrs = attrs;
  op.inputs = {blocked, packed};
  const auto types = graph::InferTypes(OpKind::kConv2d, op.attrs, op.inputs);
  if (!types.ok()) return std::nullopt;
  op.output = types->front();
  return op;
}

// The direct algorithm first, then Winograd's with each tile that applies.
std::vector<ConvLayout> Algorithms(const target::Target& target,
                                   const Conv2dAttrs& attrs,
                                   const TensorType& weights,
                                   const ConvLayout& direct,
                                   int64_t max_winograd) {
  std::vector<ConvLayout> layouts = {direct};
  const Shape& w = weights.shape;
  if (w[2] != 3 || w[3] != 3 || attrs.strides != graph::Pair{1, 1} ||
      attrs.dilations != graph::Pair{1, 1}) {
    return layouts;
  }
  for (const int64_t m : graph::kWinogradTiles) {
    if (m > max_winograd) continue;
    ConvLayout layout = direct;
    layout.winograd = m;
    // Two vectors of output channels use each broadcast pixel twice.
    const int64_t wide = std::max(2 * FloatLanes(target), direct.out_block);
    layout.weight_block = w[0] % wide == 0 ? wide : direct.out_block;
    layouts.push_back(layout);
  }
  return layouts;
}

// Block sizes that suit the target's vectors.
std::set<int64_t> BlocksOf(const target::Target& target, int64_t channels,
                           int64_t preferred) {
  std::set<int64_t> blocks = {preferred};
  const int64_t lanes = FloatLanes(target);
  for (const int64_t block : {lanes, 2 * lanes, int64_t{8}, int64_t{16}}) {
    if (block >= 4 && channels % block == 0) blocks.insert(block);
  }
  return blocks;
}

}  // namespace

std::vector<ConvCandidate> Conv2dLayouts(const target::Target& target,
                                         const Conv2dAttrs& attrs,
                                         const TensorType& data,
                                         const TensorType& weights,
                                         int64_t max_winograd,
                                         const Conv2dTimes& times) {
  auto direct = ChooseChannelBlocks(target, data.shape[1], weights.shape[0],
                                    attrs.groups);
  if (!direct.has_value()) return {{}};
  if (!data.dtype.is_float()) {
    const bool depthwise =
        attrs.groups == data.shape[1] && attrs.groups == weights.shape[0];
    if (depthwise && attrs.groups > 1) return {{*direct, 0}};
    const DotTile tile = ChooseDotTile(target, data.dtype, weights.dtype);
    if (attrs.groups != 1 || tile.depth == 1 ||
        direct->in_block % tile.depth != 0) {
      return {{}};
    }
    direct->depth = tile.depth;
    direct->weight_type = tile.b;
    return {{*direct, 0}};
  }
  if (data.dtype != DType::Float32()) return {{}};
  if (attrs.groups != 1) return {{*direct, 0}};
  const auto seconds = [&](const ConvLayout& layout, const Conv2dTime& time) {
    const auto op = Instance(attrs, data, weights, layout);
    return op.has_value() ? time(*op) : std::nullopt;
  };
  ConvLayout preferred = *direct;
  std::optional<double> least;
  for (const ConvLayout& layout :
       Algorithms(target, attrs, weights, *direct, max_winograd)) {
    const std::optional<double> estimate = seconds(layout, times.algorithm);
    if (!estimate.has_value() || (least.has_value() && *estimate >= *least)) {
      continue;
    }
    preferred = layout;
    least = estimate;
  }
  const std::optional<double> fastest = seconds(preferred, times.fastest);
  // Without a time for the preferred blocks there is nothing to compare with.
  if (!fastest.has_value()) return {{preferred, 0}};
  std::vector<ConvCandidate> candidates = {{preferred, *fastest}};
  for (const int64_t in : BlocksOf(target, data.shape[1], direct->in_block)) {
    for (const int64_t out :
         BlocksOf(target, weights.shape[0], direct->out_block)) {
      if (in == direct->in_block && out == direct->out_block) continue;
      ConvLayout layout = preferred;
      layout.in_block = in;
      layout.out_block = out;
      const std::optional<double> other = seconds(layout, times.fastest);
      if (other.has_value()) {
        candidates.push_back({layout, *other * times.margin});
      }
    }
  }
  return candidates;
}

}  // namespace assay::ops
