#include "compiler/ops/conv2d.h"

#include <algorithm>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/apply_config.h"
#include "compiler/ops/pad.h"
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

// The most pixels whose accumulators fit the registers beside the weights and
// one broadcast pixel.
int64_t WidestTile(const target::Target& target, int64_t out_block) {
  const int64_t lanes = FloatLanes(target);
  const int64_t vectors = (out_block + lanes - 1) / lanes;
  const int64_t registers = target.vector_registers();
  return std::clamp<int64_t>((registers - 1 - vectors) / vectors, 1, 28);
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
  if (groups != 1) return std::nullopt;
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

ConfigSpace Conv2dSpace(const OpInstance& op, const target::Target& target) {
  const int64_t width = op.output.shape[3];
  const int64_t widest = WidestTile(target, op.output.shape[4]);
  SplitOptions row;
  row.policy = SplitPolicy::kCandidate;
  for (int64_t tile = 1; tile <= std::min(widest, width); ++tile) {
    row.candidates.push_back({-1, tile});
  }
  ConfigSpace space;
  space.DefineSplit("tile_ow", width, row);
  return space;
}

Config DefaultConv2dConfig(const OpInstance& op, const target::Target& target) {
  const int64_t width = op.output.shape[3];
  const int64_t out_block = op.output.shape[4];
  const int64_t lanes = FloatLanes(target);
  const int64_t vectors = (out_block + lanes - 1) / lanes;
  const int64_t widest = WidestTile(target, out_block);
  // Cycles for one input channel and tap of one row, from two fused
  // multiply-adds a cycle of latency four, and two loads a cycle.
  int64_t chosen = 1;
  double best = 0;
  for (int64_t tile = 1; tile <= std::min(widest, width); ++tile) {
    const double arithmetic = tile * vectors / 2.0;
    const double loads = (tile + vectors) / 2.0;
    const double cycles = std::max({arithmetic, loads, 4.0});
    const double tiles = static_cast<double>((width + tile - 1) / tile);
    // The last, shifted tile costs some index arithmetic in each.
    const double partial = width % tile == 0 ? 1.0 : 1.05;
    const double cost = tiles * cycles * partial;
    if (tile == 1 || cost < best) {
      best = cost;
      chosen = tile;
    }
  }
  return Config().SetSplit("tile_ow", {-1, chosen});
}

void ScheduleConv2d(schedule::Schedule& s, const te::Tensor& conv,
                    const te::Tensor& output, const target::Target& target,
                    const Config& config) {
  // The stage that accumulates; it lives inside the tile of `output`.
  te::Tensor accumulate = conv;
  for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
    if (tensor.is_placeholder() || tensor.same_as(output) ||
        tensor.same_as(conv)) {
      continue;
    }
    if (tensor->tag == "pad") {
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
  const auto columns = ApplySplit(out, out.axis(3), config.Split("tile_ow"),
                                  schedule::Tail::kShift);
  const schedule::Axis &tile = columns[0], &pixel = columns[1];
  const schedule::Axis rows = out.Fuse({out.axis(0), out.axis(1), out.axis(2)});
  out.Parallel(rows).Unroll(pixel).Vectorize(out.axis(4));

  acc.ComputeAt(out, tile);
  acc.Reorder({acc.reduce_axis(0), acc.reduce_axis(1), acc.reduce_axis(2),
               acc.reduce_axis(3), acc.axis(3), acc.axis(4)});
  // The input channels of a block stay a loop: unrolled, the register
  // allocator is given so much to reorder that it spills accumulators.
  acc.Unroll(acc.axis(3)).Vectorize(acc.axis(4));
}

}  // namespace assay::ops
