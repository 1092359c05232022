#include "compiler/ops/conv/conv2d.h"

#include <algorithm>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/apply_config.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/conv/conv_tile.h"
#include "compiler/ops/conv/pad.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::ReduceAxis;

// Length of the reduction: input channels times taps.
int64_t Steps(const OpInstance& op) {
  const Shape& weights = op.stored[1].shape;
  return weights[1] * weights[2] * weights[3] * weights[4];
}

// If the weights of a tile leave no room in the L2 cache for the pixels, every
// tile waits for the L3 cache.
constexpr double kFarWeights = 1.4;

bool WeightsAreFar(const OpInstance& op, const target::Target& target,
                   const Config& config) {
  const int64_t filters = config.Knob("tile_oc") * ChannelGroupsOf(op).lanes();
  return Steps(op) * filters * op.stored[1].dtype.bytes() >
         target.l2_bytes() / 2;
}

}  // namespace

bool Conv2dApplies(const OpInstance& op, const target::Target&) {
  const auto* filters = op.encoding<graph::FilterBlocks>(1);
  return filters != nullptr && filters->depth == 0 &&
         (op.attrs_as<graph::Conv2dAttrs>().groups == 1 ||
          !ChannelGroupsOf(op).depthwise());
}

bool IsBlockedFloatConv(const OpInstance& op) {
  return op.inputs[0].dtype == DType::Float32() &&
         op.attrs_as<graph::Conv2dAttrs>().groups == 1 &&
         BlockOf(op.inputs[0]) > 0 && BlockOf(op.output) > 0;
}

std::vector<graph::Encoding> Conv2dWeights(const OpInstance& op,
                                           const target::Target&) {
  if (!IsBlockedFloatConv(op)) return {};
  graph::FilterBlocks filters;
  filters.in = BlockOf(op.inputs[0]);
  filters.out = BlockOf(op.output);
  return {filters};
}

te::Tensor Conv2d(const OpInstance& op, const Operands& in,
                  const target::Target&, const Config&) {
  const te::Tensor &data = in[0], &weights = in[1];
  const Shape& output = op.stored_output.shape;
  const Shape& w = weights.shape();
  const ChannelGroups groups = ChannelGroupsOf(op);
  const SlidingWindow window =
      WindowOf(op.attrs_as<graph::Conv2dAttrs>(), w[2], w[3]);
  const ReduceAxis ic_o = te::MakeReduceAxis(w[1], "ic.o");
  const ReduceAxis ic_i = te::MakeReduceAxis(w[4], "ic.i");
  const te::Tensor padded =
      PadFor(data, window, output,
             PadValue(data.dtype(), op.attrs_as<graph::Conv2dAttrs>()));
  return te::Compute(
      output, "conv2d",
      [&](const std::vector<Expr>& i) {
        const auto [block, channel] =
            groups.Channel(i[1], i[4], ic_o.var, ic_i.var);
        const Expr pixel = padded(i[0], block, RowIndex(i[2], window),
                                  ColumnIndex(i[3], window), channel);
        const Expr weight = weights(i[1], ic_o.var, window.kh.var,
                                    window.kw.var, ic_i.var, i[4]);
        return te::Sum(pixel * weight, {ic_o, window.kh, window.kw, ic_i});
      },
      "conv2d", {"n", "oc.o", "oh", "ow", "oc.i"});
}

ConfigSpace Conv2dSpace(const OpInstance& op, const target::Target& target) {
  return ConvTileSpace(ChannelGroupsOf(op), op.stored_output.shape[3], target);
}

Config DefaultConv2dConfig(const OpInstance& op, const target::Target& target) {
  return DefaultConvTile(ChannelGroupsOf(op), op.stored_output.shape[3],
                         WorkOf(op, Steps(op)), target);
}

double Conv2dSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config) {
  const Shape& output = op.stored_output.shape;
  const double rows = static_cast<double>(output[0] * output[2] * output[1] /
                                          config.Knob("tile_oc") * Steps(op));
  double cycles = ConvTileCycles(ChannelGroupsOf(op), output[3], Steps(op),
                                 target, config) *
                  rows;
  if (WeightsAreFar(op, target, config)) cycles *= kFarWeights;
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

schedule::Stage& TileConv2d(schedule::Schedule& s, const OpInstance& op,
                            const te::Tensor& conv, const te::Tensor& output,
                            const Config& config) {
  using schedule::Axis;
  // The accumulating stage is computed inside the tile of `output`.
  schedule::Stage& sums = s[AccumulateLocally(s, conv, output)];
  schedule::Stage& out = s[output];
  const FilterLoops filters = SplitFilters(out, ChannelGroupsOf(op), config);
  const auto columns = ApplySplit(out, out.axis(3), config.Split("tile_ow"),
                                  schedule::Tail::kShiftInwards);
  const Axis &tile = columns[0], &pixel = columns[1];
  std::vector<Axis> rows = {out.axis(0)};
  rows.insert(rows.end(), filters.parts.begin(), filters.parts.end());
  rows.push_back(out.axis(2));
  std::vector<Axis> order = rows;
  order.push_back(tile);
  order.insert(order.end(), filters.groups.begin(), filters.groups.end());
  const Axis at = order.back();
  order.insert(order.end(), {filters.block, pixel, filters.lane});
  out.Reorder(order);
  out.Parallel(out.Fuse(rows));
  out.Unroll(filters.block).Unroll(pixel).Vectorize(filters.lane);
  sums.ComputeAt(out, at);
  return sums;
}

void ScheduleConv2d(schedule::Schedule& s, const OpInstance& op,
                    const te::Tensor& conv, const te::Tensor& output,
                    const target::Target& target, const Config& config) {
  InlineOrWritePad(s, conv, output, target, config);
  ScheduleSums(TileConv2d(s, op, conv, output, config), ChannelGroupsOf(op),
               target, config);
}

}  // namespace assay::ops
