#include "compiler/ops/conv/conv2d.h"

#include <algorithm>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/apply_config.h"
#include "compiler/ops/conv/pad.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"
#include "compiler/ops/wide_product.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::ReduceAxis;
using graph::Conv2dAttrs;

te::Tensor BlockedConv2d(const te::Tensor& data, const te::Tensor& weights,
                         const Conv2dAttrs& attrs, const Shape& output) {
  const SlidingWindow window =
      WindowOf(attrs, weights.shape()[2], weights.shape()[3]);
  const ReduceAxis ic_o = te::MakeReduceAxis(weights.shape()[1], "ic.o");
  const ReduceAxis ic_i = te::MakeReduceAxis(attrs.in_block, "ic.i");
  const te::Tensor padded =
      PadFor(data, window, output, expr::Const(data.dtype(), 0));
  return te::Compute(
      output, "conv2d",
      [&](const std::vector<Expr>& i) {
        const Expr pixel = padded(i[0], ic_o.var, RowIndex(i[2], window),
                                  ColumnIndex(i[3], window), ic_i.var);
        const Expr weight = weights(i[1], ic_o.var, window.kh.var,
                                    window.kw.var, ic_i.var, i[4]);
        return te::Sum(pixel * weight, {ic_o, window.kh, window.kw, ic_i});
      },
      "conv2d", {"n", "oc.o", "oh", "ow", "oc.i"});
}

te::Tensor PlainConv2d(const te::Tensor& data, const te::Tensor& weights,
                       const Conv2dAttrs& attrs,
                       const graph::TensorType& type) {
  const Shape& output = type.shape;
  const SlidingWindow window =
      WindowOf(attrs, weights.shape()[2], weights.shape()[3]);
  const ReduceAxis ic = te::MakeReduceAxis(weights.shape()[1], "ic");
  const te::Tensor padded =
      PadFor(data, window, output, expr::Const(data.dtype(), 0));
  const int group_inputs = AsInt(weights.shape()[1]);
  const int group_outputs = AsInt(output[1] / attrs.groups);
  return te::Compute(
      output, "conv2d",
      [&](const std::vector<Expr>& i) {
        Expr channel = ic.var;
        if (attrs.groups > 1) {
          channel = i[1] / group_outputs * group_inputs + channel;
        }
        const Expr pixel = padded(i[0], channel, RowIndex(i[2], window),
                                  ColumnIndex(i[3], window));
        const Expr weight = weights(i[1], ic.var, window.kh.var, window.kw.var);
        return te::Sum(WideProduct(type.dtype, pixel, weight),
                       {ic, window.kh, window.kw});
      },
      "conv2d", {"n", "oc", "oh", "ow"});
}

// A short reduction does not pay for writing the padded data first; a long one
// does not want conditions between its steps.
constexpr int64_t kStepsToInlinePad = 64;

// Of the reduction: input channels times taps.
int64_t Steps(const OpInstance& op) {
  const Shape& weights = op.inputs[1].shape;
  return weights[1] * weights[2] * weights[3] * weights[4];
}

// Of a step of all tiles of a row, `tile_oc` blocks of channels wide.
double RowCycles(const OpInstance& op, const target::Target& target,
                 const Config& config) {
  const Shape& output = op.output.shape;
  const int64_t channels = config.Knob("tile_oc") * output[4];
  return TiledStepCycles(target, output[3], config.Split("tile_ow")[1],
                         VectorsOf(target, channels));
}

}  // namespace

te::Tensor Conv2d(const OpInstance& op, const Operands& in,
                  const target::Target&, const Config&) {
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  return attrs.out_block > 0
             ? BlockedConv2d(in[0], in[1], attrs, op.output.shape)
             : PlainConv2d(in[0], in[1], attrs, op.output);
}

std::optional<Conv2dBlocks> ChooseConv2dBlocks(const target::Target& target,
                                               int64_t in_channels,
                                               int64_t out_channels,
                                               int64_t groups) {
  const bool depthwise = groups == in_channels && groups == out_channels;
  if (groups != 1 && !depthwise) return std::nullopt;
  // One vector of output channels; two where vectors are short, so that a
  // broadcast pixel is used twice.
  const int64_t lanes = FloatLanes(target);
  const int64_t block = std::max<int64_t>(lanes, 8);
  Conv2dBlocks blocks;
  blocks.in_block = LargestDivisor(in_channels, block);
  blocks.out_block = LargestDivisor(out_channels, block);
  if (blocks.out_block % std::min<int64_t>(lanes, 4) != 0) return std::nullopt;
  return blocks;
}

int64_t PaddedFilters(const target::Target& target, int64_t filters) {
  if (ChooseConv2dBlocks(target, 1, filters, 1).has_value()) return filters;
  const int64_t block = std::max<int64_t>(FloatLanes(target), 8);
  const int64_t one = CeilDiv(filters, block) * block;
  const int64_t two = CeilDiv(filters, 2 * block) * (2 * block);
  // Tiles of two blocks are worth a few filters more.
  return two * 10 <= one * 11 ? two : one;
}

bool Conv2dApplies(const OpInstance& op, const target::Target&) {
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  return attrs.out_block > 0 && attrs.winograd == 0 && attrs.groups == 1 &&
         attrs.depth == 0;
}

SplitOptions TileColumns(const OpInstance& op, const target::Target& target) {
  const Shape& output = op.output.shape;
  SplitOptions row;
  row.policy = SplitPolicy::kCandidate;
  const int64_t widest = MaxTileRows(target, VectorsOf(target, output[4]));
  for (int64_t tile = 1; tile <= std::min(widest, output[3]); ++tile) {
    row.candidates.push_back({-1, tile});
  }
  return row;
}

ConfigSpace Conv2dSpace(const OpInstance& op, const target::Target& target) {
  const Shape& output = op.output.shape;
  ConfigSpace space;
  space.DefineSplit("tile_ow", output[3], TileColumns(op, target));
  space.DefineKnob("tile_oc", TileBlocks(target, output[1], output[4]));
  space.DefineKnob("inline_pad", {0, 1});
  return space;
}

Config DefaultConv2dConfig(const OpInstance& op, const target::Target& target) {
  const Shape& output = op.output.shape;
  std::vector<Config> configs;
  for (const int64_t tile_oc : TileBlocks(target, output[1], output[4])) {
    const int64_t tile_ow =
        BestTileRows(target, output[3], VectorsOf(target, tile_oc * output[4]));
    configs.push_back(
        Config()
            .SetSplit("tile_ow", {-1, tile_ow})
            .SetKnob("tile_oc", tile_oc)
            .SetKnob("inline_pad", Steps(op) <= kStepsToInlinePad ? 1 : 0));
  }
  return Cheapest(configs, [&](const Config& config) {
    return RowCycles(op, target, config) /
           static_cast<double>(config.Knob("tile_oc"));
  });
}

double Conv2dSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config) {
  const Shape& output = op.output.shape;
  const double rows = static_cast<double>(output[0] * output[2] * output[1] /
                                          config.Knob("tile_oc") * Steps(op));
  const double cycles = RowCycles(op, target, config) * rows;
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

schedule::Stage& TileConv2d(schedule::Schedule& s, const te::Tensor& conv,
                            const te::Tensor& output, const Config& config) {
  using schedule::Axis;
  // The stage that accumulates lives inside the tile of `output`.
  schedule::Stage& acc = s[AccumulateLocally(s, conv, output)];
  schedule::Stage& out = s[output];
  const auto [group, block] = out.Split(out.axis(1), config.Knob("tile_oc"));
  const auto columns = ApplySplit(out, out.axis(3), config.Split("tile_ow"),
                                  schedule::Tail::kShift);
  const Axis &tile = columns[0], &pixel = columns[1];
  out.Reorder(
      {out.axis(0), group, out.axis(2), tile, block, pixel, out.axis(4)});
  const Axis rows = out.Fuse({out.axis(0), group, out.axis(2)});
  out.Parallel(rows).Unroll(block).Unroll(pixel).Vectorize(out.axis(4));

  acc.ComputeAt(out, tile);
  return acc;
}

void ScheduleConv2d(schedule::Schedule& s, const te::Tensor& conv,
                    const te::Tensor& output, const target::Target& target,
                    const Config& config) {
  const bool writes_pad = config.Knob("inline_pad") == 0;
  const te::Tensor pad = FindTagged(output, "pad");
  InlineOthers(s, output, [&](const te::Tensor& tensor) {
    return tensor.same_as(conv) || (writes_pad && tensor->tag == "pad");
  });
  if (writes_pad && pad.defined()) ParallelizeRows(s, pad, target);
  schedule::Stage& acc = TileConv2d(s, conv, output, config);
  // Pixels outside of blocks: a broadcast pixel is used up before the next one
  // is loaded, and only the weights stay in registers beside the sums. The
  // input channels of a block stay a loop: unrolled, the register allocator is
  // given so much to reorder that it spills accumulators.
  acc.Reorder({acc.reduce_axis(0), acc.reduce_axis(1), acc.reduce_axis(2),
               acc.reduce_axis(3), acc.axis(3), acc.axis(1), acc.axis(4)});
  acc.Unroll(acc.axis(3)).Unroll(acc.axis(1)).Vectorize(acc.axis(4));
}

}  // namespace assay::ops
