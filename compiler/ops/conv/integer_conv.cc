#include "compiler/ops/conv/integer_conv.h"

#include <algorithm>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/conv/conv2d.h"
#include "compiler/ops/conv/conv_tile.h"
#include "compiler/ops/conv/pad.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;
using graph::Conv2dAttrs;

constexpr char kDataTag[] = "conv2d.data";

// The data, padded and converted to the operand type of the tile: a stage of
// its own unless the operand needs neither.
te::Tensor PrepareData(const te::Tensor& data, const Conv2dAttrs& attrs,
                       const SlidingWindow& window, const Shape& output,
                       DType type) {
  const te::Tensor padded =
      PadFor(data, window, output, PadValue(data.dtype(), attrs));
  if (padded.is_placeholder() && padded.dtype() == type) return padded;
  return te::Compute(
      padded.shape(), "data",
      [&](const std::vector<Expr>& i) { return expr::CastTo(type, padded(i)); },
      kDataTag);
}

// Returns the number of neighbouring channels of the weights of a filter; 0 if
// they are stored in another way.
int64_t DepthOf(const OpInstance& op) {
  const auto* filters = op.encoding<graph::FilterBlocks>(1);
  return filters == nullptr ? 0 : filters->depth;
}

// Returns true if the target multiplies pairs of int16, and adds the results to
// the sums with another instruction, as AVX2 does.
bool AddsProductsSeparately(const OpInstance& op,
                            const target::Target& target) {
  return target.arch() == target::Arch::kX86_64 && DepthOf(op) == 2;
}

// Returns the columns of a tile, at most `widest`. Then arithmetic takes longer
// than loading operands, so that a wide tile gains little, and loses more if
// the last tile computes columns again.
int64_t ColumnsForSeparateAdds(int64_t columns, int64_t widest) {
  // The instructions of a step for each column, and those for each tile.
  constexpr double kOfColumn = 5, kOfTile = 4;
  std::vector<int64_t> tiles;
  for (int64_t tile = widest; tile >= 1; --tile) tiles.push_back(tile);
  const auto cost = [&](int64_t tile) {
    return static_cast<double>(CeilDiv(columns, tile)) *
           (kOfColumn * static_cast<double>(tile) + kOfTile);
  };
  return *std::min_element(
      tiles.begin(), tiles.end(),
      [&](int64_t a, int64_t b) { return cost(a) < cost(b); });
}

}  // namespace

bool IntegerConvApplies(const OpInstance& op, const target::Target& target) {
  const int64_t depth = DepthOf(op);
  return depth > 1 &&
         depth == ChooseDotTile(target, op.stored[0].dtype, op.stored[1].dtype)
                      .depth;
}

ConfigSpace IntegerConvSpace(const OpInstance& op,
                             const target::Target& target) {
  const int64_t columns = op.stored_output.shape[3];
  const ChannelGroups groups = ChannelGroupsOf(op);
  ConfigSpace space;
  space.DefineSplit("tile_ow", columns, TileColumns(groups, columns, target));
  space.DefineKnob("tile_oc",
                   TileBlocks(target, groups.blocks(), groups.lanes()));
  return space;
}

Config DefaultIntegerConvConfig(const OpInstance& op,
                                const target::Target& target) {
  const Config tiles = DefaultConv2dConfig(op, target);
  const int64_t columns = op.stored_output.shape[3];
  const int64_t widest = tiles.Split("tile_ow")[1];
  const bool adds = AddsProductsSeparately(op, target);
  return Config()
      .SetSplit("tile_ow",
                {-1, adds ? ColumnsForSeparateAdds(columns, widest) : widest})
      .SetKnob("tile_oc", tiles.Knob("tile_oc"));
}

te::Tensor IntegerConv2d(const OpInstance& op, const Operands& in,
                         const target::Target& target, const Config&) {
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  const te::Tensor& weights = in[1];
  const Shape& w = weights.shape();
  const DotTile tile = ChooseDotTile(target, in[0].dtype(), weights.dtype());
  const int64_t depth = DepthOf(op);
  const ChannelGroups groups = ChannelGroupsOf(op);
  const SlidingWindow window = WindowOf(attrs, w[2], w[3]);
  const expr::ReduceAxis ic_o = te::MakeReduceAxis(w[1], "ic.o");
  const expr::ReduceAxis ic_s = te::MakeReduceAxis(w[4], "ic.s");
  const expr::ReduceAxis ic_i = te::MakeReduceAxis(depth, "ic.i");
  const te::Tensor data =
      PrepareData(in[0], attrs, window, op.stored_output.shape, tile.a);
  return te::Compute(
      op.stored_output.shape, "conv2d",
      [&](const std::vector<Expr>& i) {
        const auto [block, channel] = groups.Channel(
            i[1], i[4], ic_o.var, ic_s.var * AsInt(depth) + ic_i.var);
        const Expr pixel = data(i[0], block, RowIndex(i[2], window),
                                ColumnIndex(i[3], window), channel);
        const Expr weight = weights({i[1], ic_o.var, window.kh.var,
                                     window.kw.var, ic_s.var, i[4], ic_i.var});
        return te::Sum(expr::WideProduct(op.output.dtype, pixel, weight),
                       {ic_o, window.kh, window.kw, ic_s, ic_i});
      },
      "conv2d", {"n", "oc.o", "oh", "ow", "oc.i"});
}

void ScheduleIntegerConv(schedule::Schedule& s, const OpInstance& op,
                         const te::Tensor& conv, const te::Tensor& output,
                         const target::Target& target, const Config& config) {
  const te::Tensor data = FindTagged(output, kDataTag);
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return tensor.same_as(conv) || tensor->tag == kDataTag;
  });
  if (data.defined()) ParallelizeRows(s, data, target);
  const std::vector<te::Tensor> operands = te::InputsOf(conv);
  const DotTile tile =
      ChooseDotTile(target, operands[0].dtype(), operands[1].dtype());
  schedule::Stage& acc = TileConv2d(s, op, conv, output, config);
  acc.Reorder({acc.reduce_axis(0), acc.reduce_axis(1), acc.reduce_axis(2),
               acc.reduce_axis(3), acc.axis(3), acc.axis(1), acc.axis(4),
               acc.reduce_axis(4)});
  acc.Unroll(acc.axis(3)).Unroll(acc.axis(1));
  acc.Tensorize(acc.axis(4),
                DotIntrin(tile, output.shape()[4], DotFactorsOf::kNeighbours));
}

}  // namespace assay::ops
