#include "compiler/ops/conv2d.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/apply_config.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/pad.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::ReduceAxis;

int AsInt(int64_t v) { return static_cast<int>(v); }

struct Taps {
  ReduceAxis kh, kw;
};

te::Tensor PadFor(const te::Tensor& data, const graph::Conv2dAttrs& attrs,
                  const Shape& output, const Taps& taps) {
  PadWindow window;
  window.top = attrs.padding[0];
  window.left = attrs.padding[1];
  window.height = WindowExtent(output[2], attrs.strides[0], taps.kh.extent,
                               attrs.dilations[0]);
  window.width = WindowExtent(output[3], attrs.strides[1], taps.kw.extent,
                              attrs.dilations[1]);
  return Pad(data, window, expr::Const(data.dtype(), 0));
}

Expr RowIndex(const Expr& oh, const graph::Conv2dAttrs& attrs,
              const Taps& taps) {
  return oh * AsInt(attrs.strides[0]) + taps.kh.var * AsInt(attrs.dilations[0]);
}

Expr ColumnIndex(const Expr& ow, const graph::Conv2dAttrs& attrs,
                 const Taps& taps) {
  return ow * AsInt(attrs.strides[1]) + taps.kw.var * AsInt(attrs.dilations[1]);
}

te::Tensor BlockedConv2d(const te::Tensor& data, const te::Tensor& weights,
                         const graph::Conv2dAttrs& attrs, const Shape& output) {
  const Taps taps = {te::MakeReduceAxis(weights.shape()[2], "kh"),
                     te::MakeReduceAxis(weights.shape()[3], "kw")};
  const ReduceAxis ic_o = te::MakeReduceAxis(weights.shape()[1], "ic.o");
  const ReduceAxis ic_i = te::MakeReduceAxis(attrs.in_block, "ic.i");
  const te::Tensor padded = PadFor(data, attrs, output, taps);
  return te::Compute(
      output, "conv2d",
      [&](const std::vector<Expr>& i) {
        const Expr pixel = padded(i[0], ic_o.var, RowIndex(i[2], attrs, taps),
                                  ColumnIndex(i[3], attrs, taps), ic_i.var);
        const Expr weight =
            weights(i[1], ic_o.var, taps.kh.var, taps.kw.var, ic_i.var, i[4]);
        return te::Sum(pixel * weight, {ic_o, taps.kh, taps.kw, ic_i});
      },
      "conv2d", {"n", "oc.o", "oh", "ow", "oc.i"});
}

te::Tensor PlainConv2d(const te::Tensor& data, const te::Tensor& weights,
                       const graph::Conv2dAttrs& attrs, const Shape& output) {
  const Taps taps = {te::MakeReduceAxis(weights.shape()[2], "kh"),
                     te::MakeReduceAxis(weights.shape()[3], "kw")};
  const ReduceAxis ic = te::MakeReduceAxis(weights.shape()[1], "ic");
  const te::Tensor padded = PadFor(data, attrs, output, taps);
  const int group_inputs = AsInt(weights.shape()[1]);
  const int group_outputs = AsInt(output[1] / attrs.groups);
  return te::Compute(
      output, "conv2d",
      [&](const std::vector<Expr>& i) {
        Expr channel = ic.var;
        if (attrs.groups > 1) {
          channel = i[1] / group_outputs * group_inputs + channel;
        }
        const Expr pixel = padded(i[0], channel, RowIndex(i[2], attrs, taps),
                                  ColumnIndex(i[3], attrs, taps));
        return te::Sum(pixel * weights(i[1], ic.var, taps.kh.var, taps.kw.var),
                       {ic, taps.kh, taps.kw});
      },
      "conv2d", {"n", "oc", "oh", "ow"});
}

// Blocks of output channels that a register tile may have: divisors, so that
// none is partial, of at most four vectors.
std::vector<int64_t> TileBlocks(const target::Target& target,
                                const Shape& output) {
  std::vector<int64_t> result = {1};
  for (int64_t t = 2; t * output[4] <= 4 * FloatLanes(target); ++t) {
    if (output[1] % t == 0) result.push_back(t);
  }
  return result;
}

// A short reduction does not pay for writing the padded data first; a long one
// does not want conditions between its steps.
constexpr int64_t kStepsToInlinePad = 64;

// Of the reduction: input channels times taps.
int64_t Steps(const OpInstance& op) {
  const Shape& weights = op.inputs[1].shape;
  return weights[1] * weights[2] * weights[3] * weights[4];
}

int64_t Vectors(const target::Target& target, const Shape& output,
                int64_t tile_oc) {
  const int64_t lanes = FloatLanes(target);
  return (tile_oc * output[4] + lanes - 1) / lanes;
}

}  // namespace

te::Tensor Conv2d(const te::Tensor& data, const te::Tensor& weights,
                  const graph::Conv2dAttrs& attrs, const Shape& output) {
  return attrs.out_block > 0 ? BlockedConv2d(data, weights, attrs, output)
                             : PlainConv2d(data, weights, attrs, output);
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
  const int64_t one = (filters + block - 1) / block * block;
  const int64_t two = (filters + 2 * block - 1) / (2 * block) * (2 * block);
  // Tiles of two blocks are worth a few filters more.
  return two * 10 <= one * 11 ? two : one;
}

ConfigSpace Conv2dSpace(const OpInstance& op, const target::Target& target) {
  const Shape& output = op.output.shape;
  SplitOptions row;
  row.policy = SplitPolicy::kCandidate;
  const int64_t widest = MaxTileRows(target, Vectors(target, output, 1));
  for (int64_t tile = 1; tile <= std::min(widest, output[3]); ++tile) {
    row.candidates.push_back({-1, tile});
  }
  ConfigSpace space;
  space.DefineSplit("tile_ow", output[3], row);
  space.DefineKnob("tile_oc", TileBlocks(target, output));
  space.DefineKnob("inline_pad", {0, 1});
  return space;
}

Config DefaultConv2dConfig(const OpInstance& op, const target::Target& target) {
  const Shape& output = op.output.shape;
  int64_t columns = 1, blocks = 1;
  double least = std::numeric_limits<double>::infinity();
  for (const int64_t tile_oc : TileBlocks(target, output)) {
    const int64_t vectors = Vectors(target, output, tile_oc);
    const int64_t tile = BestTileRows(target, output[3], vectors);
    const double cycles = TiledStepCycles(target, output[3], tile, vectors) /
                          static_cast<double>(tile_oc);
    if (cycles < least) {
      least = cycles;
      columns = tile;
      blocks = tile_oc;
    }
  }
  return Config()
      .SetSplit("tile_ow", {-1, columns})
      .SetKnob("tile_oc", blocks)
      .SetKnob("inline_pad", Steps(op) <= kStepsToInlinePad ? 1 : 0);
}

double Conv2dSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config) {
  const Shape& output = op.output.shape;
  const int64_t tile_oc = config.Knob("tile_oc");
  const double step =
      TiledStepCycles(target, output[3], config.Split("tile_ow")[1],
                      Vectors(target, output, tile_oc));
  const double cycles =
      step * static_cast<double>(output[0] * output[2] * output[1] / tile_oc *
                                 Steps(op));
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

void ScheduleConv2d(schedule::Schedule& s, const te::Tensor& conv,
                    const te::Tensor& output, const target::Target& target,
                    const Config& config) {
  using schedule::Axis;
  // The stage that accumulates; it lives inside the tile of `output`.
  te::Tensor accumulate = conv;
  for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
    if (tensor.is_placeholder() || tensor.same_as(output) ||
        tensor.same_as(conv)) {
      continue;
    }
    if (tensor->tag == "pad" && config.Knob("inline_pad") == 0) {
      ParallelizeRows(s, tensor, target);
    } else {
      s[tensor].ComputeInline();
    }
  }
  if (conv.same_as(output)) {
    accumulate = s.CacheWrite(conv, expr::Scope::kLocal);
  } else {
    s[conv].SetScope(expr::Scope::kLocal);
  }
  schedule::Stage& acc = s[accumulate];
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
  // Pixels outside of blocks: a broadcast pixel is used up before the next one
  // is loaded, and only the weights stay in registers beside the sums. The
  // input channels of a block stay a loop: unrolled, the register allocator is
  // given so much to reorder that it spills accumulators.
  acc.Reorder({acc.reduce_axis(0), acc.reduce_axis(1), acc.reduce_axis(2),
               acc.reduce_axis(3), acc.axis(3), acc.axis(1), acc.axis(4)});
  acc.Unroll(acc.axis(3)).Unroll(acc.axis(1)).Vectorize(acc.axis(4));
}

}  // namespace assay::ops
