#include "compiler/ops/conv/conv2d_layout.h"

#include <algorithm>

#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/op/winograd.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/conv/conv2d.h"
#include "compiler/ops/conv/winograd.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/op_instance.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

using graph::Conv2dAttrs;
using graph::OpKind;
using graph::TensorType;

// The convolution as the layout makes it; nothing where type inference refuses.
std::optional<OpInstance> Instance(const Conv2dAttrs& plain,
                                   const TensorType& data,
                                   const TensorType& weights,
                                   const Conv2dLayout& layout) {
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

bool IsForWinograd(const Conv2dAttrs& attrs, const TensorType& weights) {
  return attrs.groups == 1 && weights.shape[2] == 3 && weights.shape[3] == 3 &&
         attrs.strides == graph::Pair{1, 1} &&
         attrs.dilations == graph::Pair{1, 1};
}

}  // namespace

std::optional<Conv2dLayout> ChooseConv2dLayout(const target::Target& target,
                                               const Conv2dAttrs& attrs,
                                               const TensorType& data,
                                               const TensorType& weights,
                                               int64_t max_winograd) {
  const auto blocks = ChooseChannelBlocks(target, data.shape[1],
                                          weights.shape[0], attrs.groups);
  if (!blocks.has_value()) return std::nullopt;
  Conv2dLayout best;
  best.in_block = blocks->in_block;
  best.out_block = blocks->out_block;
  if (!data.dtype.is_float()) {
    const DotTile tile = ChooseDotTile(target, data.dtype, weights.dtype);
    if (attrs.groups != 1 || tile.depth == 1 ||
        best.in_block % tile.depth != 0) {
      return std::nullopt;
    }
    best.depth = tile.depth;
    best.weight_type = tile.b;
    return best;
  }
  if (data.dtype != DType::Float32()) return std::nullopt;
  if (!IsForWinograd(attrs, weights)) return best;
  const auto direct = Instance(attrs, data, weights, best);
  if (!direct.has_value()) return best;
  double seconds =
      Conv2dSeconds(*direct, target, DefaultConv2dConfig(*direct, target));
  for (const int64_t m : graph::kWinogradTiles) {
    if (m > max_winograd) continue;
    Conv2dLayout layout = best;
    layout.winograd = m;
    // Two vectors of output channels use a broadcast pixel twice.
    const int64_t wide = std::max(2 * FloatLanes(target), blocks->out_block);
    layout.weight_block =
        weights.shape[0] % wide == 0 ? wide : blocks->out_block;
    const auto op = Instance(attrs, data, weights, layout);
    if (!op.has_value()) continue;
    const double estimate =
        WinogradSeconds(*op, target, DefaultWinogradConfig(*op, target));
    if (estimate < seconds) {
      seconds = estimate;
      best = layout;
    }
  }
  return best;
}

}  // namespace assay::ops
