#include "compiler/ops/conv/depthwise.h"

#include <algorithm>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/conv/pad.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;

// Half of the registers hold accumulators, which leaves room for the weights of
// one tap and a pixel. For ARM's in-order cores LLVM loads all pixels of a row
// of taps early, so only a quarter is used; otherwise accumulators are spilled
// (inner_loop_test.cc checks this).
int64_t WidestTile(const target::Target& target, const Shape& output) {
  const int64_t part = target.arch() == target::Arch::kX86_64 ? 2 : 4;
  const int64_t vectors = VectorsOf(target, output[4]);
  return std::clamp<int64_t>(target.vector_registers() / part / vectors, 1,
                             output[3]);
}

}  // namespace

bool DepthwiseApplies(const OpInstance& op, const target::Target&) {
  const auto* filters = op.encoding<graph::FilterBlocks>(1);
  return filters != nullptr && filters->depth == 0 &&
         op.attrs_as<graph::Conv2dAttrs>().groups > 1 &&
         ChannelGroupsOf(op).depthwise();
}

te::Tensor DepthwiseConv2d(const OpInstance& op, const Operands& in,
                           const target::Target&, const Config&) {
  const te::Tensor &data = in[0], &weights = in[1];
  const Shape& output = op.stored_output.shape;
  const SlidingWindow window = WindowOf(op.attrs_as<graph::Conv2dAttrs>(),
                                        weights.shape()[2], weights.shape()[3]);
  const te::Tensor padded =
      PadFor(data, window, output,
             PadValue(data.dtype(), op.attrs_as<graph::Conv2dAttrs>()));
  return te::Compute(
      output, "conv2d",
      [&](const std::vector<Expr>& i) {
        const Expr pixel = padded(i[0], i[1], RowIndex(i[2], window),
                                  ColumnIndex(i[3], window), i[4]);
        const Expr weight =
            weights(i[1], 0, window.kh.var, window.kw.var, 0, i[4]);
        return te::Sum(expr::WideProduct(op.output.dtype, pixel, weight),
                       {window.kh, window.kw});
      },
      "conv2d", {"n", "c.o", "oh", "ow", "c.i"});
}

ConfigSpace DepthwiseSpace(const OpInstance& op, const target::Target& target) {
  const Shape& output = op.stored_output.shape;
  std::vector<int64_t> tiles, rows;
  for (int64_t t = 1; t <= WidestTile(target, output); ++t) tiles.push_back(t);
  for (int64_t parts = 1; parts <= output[2]; parts *= 2) {
    rows.push_back(CeilDiv(output[2], parts));
  }
  const int64_t chosen = DefaultDepthwiseConfig(op, target).Knob("rows");
  if (std::find(rows.begin(), rows.end(), chosen) == rows.end()) {
    rows.push_back(chosen);
  }
  ConfigSpace space;
  space.DefineKnob("tile_ow", tiles);
  space.DefineKnob("rows", rows);
  return space;
}

Config DefaultDepthwiseConfig(const OpInstance& op,
                              const target::Target& target) {
  const Shape& output = op.stored_output.shape;
  const auto& attrs = op.attrs_as<graph::Conv2dAttrs>();
  const int64_t widest = WidestTile(target, output);
  // As few tiles as possible, of equal width.
  const int64_t tile = CeilDiv(output[3], CeilDiv(output[3], widest));
  // Equal parts whose rows of data fill at most a quarter of the L2 cache.
  const int64_t row_bytes =
      (output[3] * attrs.strides[1] + 2) * output[4] * 4 * attrs.strides[0];
  const int64_t most = std::clamp<int64_t>(
      target.l2_bytes() / 4 / row_bytes - 2 / attrs.strides[0], 1, output[2]);
  const int64_t rows = CeilDiv(output[2], CeilDiv(output[2], most));
  return Config().SetKnob("tile_ow", tile).SetKnob("rows", rows);
}

void ScheduleDepthwise(schedule::Schedule& s, const OpInstance&,
                       const te::Tensor& conv, const te::Tensor& output,
                       const target::Target& target, const Config& config) {
  using schedule::Axis;
  // Padding is inlined as well: loop partitioning removes its conditions from
  // tiles that do not touch the border.
  InlineOthers(s, output, target,
               [&](const te::Tensor& tensor) { return tensor.same_as(conv); });
  schedule::Stage& sum = s[AccumulateLocally(s, conv, output)];
  schedule::Stage& out = s[output];
  const auto [chunk, row] = out.Split(out.axis(2), config.Knob("rows"));
  const auto [tile, pixel] = out.Split(out.axis(3), config.Knob("tile_ow"),
                                       schedule::Tail::kShiftInwards);
  const Axis shared = out.Fuse({out.axis(0), out.axis(1), chunk});
  out.Parallel(shared).Unroll(pixel).Vectorize(out.axis(4));

  sum.ComputeAt(out, tile);
  sum.Reorder(
      {sum.reduce_axis(0), sum.reduce_axis(1), sum.axis(3), sum.axis(4)});
  sum.Unroll(sum.reduce_axis(0)).Unroll(sum.reduce_axis(1));
  sum.Unroll(sum.axis(3)).Vectorize(sum.axis(4));
}

}  // namespace assay::ops
