#include "compiler/ops/conv/conv2d_layout.h"

#include <algorithm>
#include <set>

#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/op/winograd.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matrix_tile.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

// Number of channels in a tile of split weights.
constexpr int64_t kSplitChannels = 2 * expr::kTileRows;

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
  attrs.bfloat16_parts = layout.bfloat16_parts;
  attrs.folded_columns = layout.folded_columns;
  const Shape &d = data.shape, &w = weights.shape;
  const TensorType blocked = {
      data.dtype, {d[0], d[1] / layout.in_block, d[2], d[3], layout.in_block}};
  TensorType packed = weights;
  if (layout.winograd > 0) {
    const int64_t alpha = layout.winograd + 2;
    packed.shape = {alpha, alpha, w[0] / layout.weight_block, w[1],
                    layout.weight_block};
  } else if (layout.bfloat16_parts > 0) {
    packed.dtype = DType::BFloat16();
    const bool folded = layout.folded_columns > 0;
    packed.shape = {w[0] / layout.out_block,
                    CeilDiv(folded ? w[1] * w[3] : w[1], kSplitChannels),
                    w[2],
                    folded ? 1 : w[3],
                    layout.bfloat16_parts,
                    kSplitChannels / 2,
                    layout.out_block,
                    2};
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

// The direct algorithm first, then that with split numbers and Winograd's with
// each tile, where they apply.
std::vector<ConvLayout> Algorithms(const target::Target& target,
                                   const Conv2dAttrs& attrs,
                                   const TensorType& weights,
                                   const ConvLayout& direct,
                                   const InexactConv2d& inexact) {
  std::vector<ConvLayout> layouts = {direct};
  if (inexact.split && direct.out_block == expr::kTileRows &&
      FindMatrixTile(target, weights.dtype, weights.dtype).has_value()) {
    layouts.push_back(direct);
    layouts.back().bfloat16_parts = 2;
    // Few channels leave most of a tile empty.
    if (weights.shape[3] > 1 &&
        weights.shape[1] * weights.shape[3] <= kSplitChannels) {
      layouts.back().folded_columns = weights.shape[3];
    }
  }
  const Shape& w = weights.shape;
  if (w[2] != 3 || w[3] != 3 || attrs.strides != graph::Pair{1, 1} ||
      attrs.dilations != graph::Pair{1, 1}) {
    return layouts;
  }
  for (const int64_t m : graph::kWinogradTiles) {
    if (m > inexact.max_winograd) continue;
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

// A convolution in the plain layout.
struct PlainConv2d {
  const Conv2dAttrs& attrs;
  const TensorType& data;
  const TensorType& weights;
};

std::optional<double> SecondsOf(const PlainConv2d& conv,
                                const ConvLayout& layout,
                                const Conv2dTime& time) {
  const auto op = Instance(conv.attrs, conv.data, conv.weights, layout);
  return op.has_value() ? time(*op) : std::nullopt;
}

// Returns the first of `layouts` if none has a time.
ConvLayout Fastest(const PlainConv2d& conv,
                   const std::vector<ConvLayout>& layouts,
                   const Conv2dTime& time) {
  ConvLayout fastest = layouts.front();
  std::optional<double> least;
  for (const ConvLayout& layout : layouts) {
    const std::optional<double> seconds = SecondsOf(conv, layout, time);
    if (!seconds.has_value() || (least.has_value() && *seconds >= *least)) {
      continue;
    }
    fastest = layout;
    least = seconds;
  }
  return fastest;
}

// Appends the candidates that are `layout` with other block sizes.
void AppendOtherBlocks(const target::Target& target, const PlainConv2d& conv,
                       const ConvLayout& layout, const Conv2dTimes& times,
                       std::vector<ConvCandidate>* candidates) {
  for (const int64_t in :
       BlocksOf(target, conv.data.shape[1], layout.in_block)) {
    for (const int64_t out :
         BlocksOf(target, conv.weights.shape[0], layout.out_block)) {
      if (in == layout.in_block && out == layout.out_block) continue;
      if (layout.bfloat16_parts > 0 && out != layout.out_block) continue;
      ConvLayout other = layout;
      other.in_block = in;
      other.out_block = out;
      const auto seconds = SecondsOf(conv, other, times.fastest);
      if (seconds.has_value()) {
        candidates->push_back({other, *seconds * times.margin});
      }
    }
  }
}

}  // namespace

std::vector<ConvCandidate> Conv2dLayouts(const target::Target& target,
                                         const Conv2dAttrs& attrs,
                                         const TensorType& data,
                                         const TensorType& weights,
                                         const InexactConv2d& inexact,
                                         const Conv2dTimes& times) {
  auto direct = ChooseChannelBlocks(target, data.shape[1], weights.shape[0],
                                    attrs.groups);
  if (!direct.has_value()) return {{}};
  if (!data.dtype.is_float()) {
    const bool depthwise =
        attrs.groups == data.shape[1] && attrs.groups == weights.shape[0];
    if (depthwise && attrs.groups > 1) return {{*direct, 0}};
    const DotTile tile = ChooseDotTile(target, data.dtype, weights.dtype);
    const bool whole_blocks =
        data.shape[1] / attrs.groups % direct->in_block == 0 &&
        weights.shape[0] / attrs.groups % direct->out_block == 0;
    if (!whole_blocks || tile.depth == 1 ||
        direct->in_block % tile.depth != 0) {
      return {{}};
    }
    direct->depth = tile.depth;
    direct->weight_type = tile.b;
    return {{*direct, 0}};
  }
  if (data.dtype != DType::Float32()) return {{}};
  if (attrs.groups != 1) return {{*direct, 0}};
  const PlainConv2d conv = {attrs, data, weights};
  // All with the preferred block sizes.
  std::vector<ConvLayout> layouts =
      Algorithms(target, attrs, weights, *direct, inexact);
  if (times.algorithm != nullptr) {
    layouts = {Fastest(conv, layouts, times.algorithm)};
  }
  const ConvLayout preferred = Fastest(conv, layouts, times.fastest);
  std::vector<ConvCandidate> candidates;
  for (const ConvLayout& layout : layouts) {
    const auto seconds = SecondsOf(conv, layout, times.fastest);
    if (!seconds.has_value()) continue;
    const bool first = layout.winograd == preferred.winograd &&
                       layout.bfloat16_parts == preferred.bfloat16_parts;
    candidates.insert(first ? candidates.begin() : candidates.end(),
                      {layout, *seconds});
  }
  for (const ConvLayout& layout : layouts) {
    AppendOtherBlocks(target, conv, layout, times, &candidates);
  }
  if (candidates.empty()) candidates.push_back({preferred, 0});
  return candidates;
}

}  // namespace assay::ops
