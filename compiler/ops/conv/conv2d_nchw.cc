#include "compiler/ops/conv/conv2d_nchw.h"

#include <algorithm>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/conv/pad.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::ReduceAxis;
using graph::Conv2dAttrs;

constexpr int64_t kMostVectors = 4;

struct Problem {
  int64_t rows = 0;     // in all images
  int64_t columns = 0;  // in a row
  int64_t groups = 0;
  int64_t filters = 0;  // per group
  int64_t steps = 0;    // length of the reduction
  int64_t lanes = 0;    // per vector
  int64_t widest = 0;   // maximal number of vectors of a tile
};

Problem ProblemOf(const OpInstance& op, const target::Target& target) {
  const Shape &out = op.stored_output.shape, &w = op.stored[1].shape;
  Problem p;
  p.rows = out[0] * out[2];
  p.columns = out[3];
  p.groups = op.attrs_as<Conv2dAttrs>().groups;
  p.filters = out[1] / p.groups;
  p.steps = w[1] * w[2] * w[3];
  // Code generators split vectors whose length is not a power of two.
  p.lanes = FloatLanes(target);
  while (p.lanes > p.columns) p.lanes /= 2;
  p.widest = std::min(kMostVectors, p.columns / p.lanes);
  return p;
}

// Cycles of one reduction step for a row of all filters of a group.
double RowCycles(const Problem& p, const target::Target& target,
                 const Config& config) {
  const int64_t vectors = config.Knob("vectors");
  const int64_t tiles = CeilDiv(p.columns, vectors * p.lanes);
  return static_cast<double>(tiles) * TiledStepCycles(target, p.filters,
                                                      config.Knob("tile_oc"),
                                                      vectors, p.steps);
}

}  // namespace

bool Conv2dNchwApplies(const OpInstance& op, const target::Target&) {
  return IsPlain(op.output.encoding) && IsPlain(op.inputs[1].encoding);
}

te::Tensor Conv2dNchw(const OpInstance& op, const Operands& in,
                      const target::Target&, const Config&) {
  const te::Tensor &data = in[0], &weights = in[1];
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  const Shape& output = op.stored_output.shape;
  const SlidingWindow window =
      WindowOf(attrs, weights.shape()[2], weights.shape()[3]);
  const ReduceAxis ic = te::MakeReduceAxis(weights.shape()[1], "ic");
  const te::Tensor padded =
      PadFor(data, window, output, PadValue(data.dtype(), attrs));
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
        return te::Sum(expr::WideProduct(op.output.dtype, pixel, weight),
                       {ic, window.kh, window.kw});
      },
      "conv2d", {"n", "oc", "oh", "ow"});
}

ConfigSpace Conv2dNchwSpace(const OpInstance& op,
                            const target::Target& target) {
  const Problem p = ProblemOf(op, target);
  std::vector<int64_t> filters, vectors;
  const int64_t most = std::min(p.filters, MaxTileRows(target, 1));
  for (int64_t f = 1; f <= most; ++f) filters.push_back(f);
  for (int64_t v = 1; v <= p.widest; ++v) vectors.push_back(v);
  ConfigSpace space;
  space.DefineKnob("tile_oc", filters);
  space.DefineKnob("vectors", vectors);
  space.DefineKnob("inline_pad", {0, 1});
  return space;
}

Config DefaultConv2dNchwConfig(const OpInstance& op,
                               const target::Target& target) {
  const Problem p = ProblemOf(op, target);
  std::vector<Config> configs;
  for (int64_t v = 1; v <= p.widest; ++v) {
    configs.push_back(
        Config()
            .SetKnob("tile_oc", BestTileRows(target, p.filters, v, p.steps))
            .SetKnob("vectors", v)
            .SetKnob("inline_pad", 0));
  }
  return Cheapest(configs, [&](const Config& config) {
    return RowCycles(p, target, config);
  });
}

double Conv2dNchwSeconds(const OpInstance& op, const target::Target& target,
                         const Config& config) {
  const Problem p = ProblemOf(op, target);
  const double cycles = RowCycles(p, target, config) *
                        static_cast<double>(p.rows * p.groups * p.steps);
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

void ScheduleConv2dNchw(schedule::Schedule& s, const OpInstance& op,
                        const te::Tensor& conv, const te::Tensor& output,
                        const target::Target& target, const Config& config) {
  using schedule::Axis;
  using schedule::Tail;
  const Problem p = ProblemOf(op, target);
  const bool parallel = IsWorthThreads(KernelWork(s));
  InlineOrWritePad(s, conv, output, target, config);
  schedule::Stage& sums = s[AccumulateLocally(s, conv, output)];
  schedule::Stage& out = s[output];
  std::vector<Axis> shared = {out.axis(0)};
  Axis filters = out.axis(1);
  if (p.groups > 1) {
    const auto [group, filter] = out.Split(filters, p.filters);
    shared.push_back(group);
    filters = filter;
  }
  const auto [part, filter] =
      out.Split(filters, config.Knob("tile_oc"), Tail::kShiftInwards);
  const auto [tile, pixels] = out.Split(
      out.axis(3), config.Knob("vectors") * p.lanes, Tail::kShiftInwards);
  const auto [vector, lane] = out.Split(pixels, p.lanes);
  shared.push_back(part);
  shared.push_back(out.axis(2));
  std::vector<Axis> order = shared;
  order.insert(order.end(), {tile, filter, vector, lane});
  out.Reorder(order);
  const Axis rows = out.Fuse(shared);
  if (parallel) out.Parallel(rows);
  out.Unroll(filter).Unroll(vector).Vectorize(lane);

  sums.ComputeAt(out, tile);
  const auto [v, l] = sums.Split(sums.axis(3), p.lanes);
  sums.Reorder({sums.reduce_axis(0), sums.reduce_axis(1), sums.reduce_axis(2),
                sums.axis(1), v, l});
  sums.Unroll(sums.axis(1)).Unroll(v).Vectorize(l);
}

}  // namespace assay::ops
