#include "compiler/ops/conv/pointwise.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::ReduceAxis;

struct Problem {
  int64_t images = 0, pixels = 0;  // of one image
  int64_t channels = 0;
  int64_t blocks = 0, block = 0;  // of output channels
};

Problem ProblemOf(const OpInstance& op) {
  const Shape& out = op.output.shape;
  return {out[0], out[2] * out[3],
          op.inputs[0].shape[1] * op.inputs[0].shape[4], out[1], out[4]};
}

// Register tiles in a chunk: powers of two, and all of them.
std::vector<int64_t> Chunks(int64_t tiles) {
  std::vector<int64_t> result;
  for (int64_t chunk = 1; chunk < tiles; chunk *= 2) result.push_back(chunk);
  result.push_back(tiles);
  return result;
}

}  // namespace

bool PointwiseApplies(const OpInstance& op, const target::Target&) {
  const auto& attrs = op.attrs_as<graph::Conv2dAttrs>();
  if (attrs.out_block == 0 || attrs.winograd != 0 || attrs.groups != 1)
    return false;
  const Shape& weights = op.inputs[1].shape;
  return weights[2] == 1 && weights[3] == 1 &&
         attrs.padding == graph::Padding{0, 0, 0, 0};
}

te::Tensor PointwiseConv2d(const OpInstance& op, const Operands& operands,
                           const target::Target&, const Config&) {
  const te::Tensor &data = operands[0], &weights = operands[1];
  const auto& attrs = op.attrs_as<graph::Conv2dAttrs>();
  const Shape& output = op.output.shape;
  const int width = AsInt(output[3]);
  const Shape& in = data.shape();
  const bool strided = attrs.strides != graph::Pair{1, 1};
  const te::Tensor pixels = te::Compute(
      {in[0], in[1], output[2] * output[3], in[4]}, "pixels",
      [&](const std::vector<Expr>& i) {
        return data(i[0], i[1], i[2] / width * AsInt(attrs.strides[0]),
                    i[2] % width * AsInt(attrs.strides[1]), i[3]);
      },
      strided ? "pointwise.gathered" : "");
  const ReduceAxis ic_o = te::MakeReduceAxis(in[1], "ic.o");
  const ReduceAxis ic_i = te::MakeReduceAxis(in[4], "ic.i");
  const te::Tensor products = te::Compute(
      {output[0], output[1], output[2] * output[3], output[4]}, "products",
      [&](const std::vector<Expr>& i) {
        return te::Sum(pixels(i[0], ic_o.var, i[2], ic_i.var) *
                           weights(i[1], ic_o.var, 0, 0, ic_i.var, i[3]),
                       {ic_o, ic_i});
      },
      "pointwise.products", {"n", "oc.o", "p", "oc.i"});
  return te::Compute(output, "conv2d",
                     [&](const std::vector<Expr>& i) {
                       return products(i[0], i[1], i[2] * width + i[3], i[4]);
                     },
                     "conv2d", {"n", "oc.o", "oh", "ow", "oc.i"});
}

ConfigSpace PointwiseSpace(const OpInstance& op, const target::Target& target) {
  const Problem p = ProblemOf(op);
  std::vector<int64_t> rows;
  const int64_t most = std::min(p.pixels, MaxTileRows(target, 1));
  for (int64_t r = 1; r <= most; ++r) rows.push_back(r);
  ConfigSpace space;
  space.DefineKnob("tile_p", rows);
  space.DefineKnob("tile_oc", TileBlocks(target, p.blocks, p.block));
  space.DefineKnob("chunk", Chunks(p.pixels));
  return space;
}

Config DefaultPointwiseConfig(const OpInstance& op,
                              const target::Target& target) {
  const Problem p = ProblemOf(op);
  std::vector<Config> configs;
  for (const int64_t tile_oc : TileBlocks(target, p.blocks, p.block)) {
    const int64_t rows =
        BestTileRows(target, p.pixels, VectorsOf(target, tile_oc * p.block));
    // Half of the L2 cache for the pixels of a chunk.
    const int64_t bytes = rows * p.channels * 4;
    int64_t chunk = 1;
    for (const int64_t c : Chunks(p.pixels)) {
      if (c * bytes <= target.l2_bytes() / 2) chunk = c;
    }
    configs.push_back(Config()
                          .SetKnob("tile_p", rows)
                          .SetKnob("tile_oc", tile_oc)
                          .SetKnob("chunk", chunk));
  }
  return Cheapest(configs, [&](const Config& config) {
    return PointwiseSeconds(op, target, config);
  });
}

double PointwiseSeconds(const OpInstance& op, const target::Target& target,
                        const Config& config) {
  const Problem p = ProblemOf(op);
  const int64_t tile_oc = config.Knob("tile_oc");
  const double step = TiledStepCycles(target, p.pixels, config.Knob("tile_p"),
                                      VectorsOf(target, tile_oc * p.block));
  const double cycles =
      step * static_cast<double>(p.images * p.channels * (p.blocks / tile_oc));
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

void SchedulePointwise(schedule::Schedule& s, const te::Tensor&,
                       const te::Tensor& output, const target::Target& target,
                       const Config& config) {
  using schedule::Axis;
  const te::Tensor products = FindTagged(output, "pointwise.products");
  const te::Tensor gathered = FindTagged(output, "pointwise.gathered");
  InlineOthers(s, output, [&](const te::Tensor& tensor) {
    return absl::StartsWith(tensor->tag, "pointwise.");
  });
  if (gathered.defined()) ParallelizeRows(s, gathered, target);

  schedule::Stage& out = s[output];
  const auto [group, block] = out.Split(out.axis(1), config.Knob("tile_oc"));
  out.Reorder(
      {out.axis(0), out.axis(2), out.axis(3), group, block, out.axis(4)});
  const Axis p = out.Fuse(out.axis(2), out.axis(3));
  const auto [tiles, pixel] =
      out.Split(p, config.Knob("tile_p"), schedule::Tail::kShift);
  const auto [chunk, tile] = out.Split(tiles, config.Knob("chunk"));
  out.Reorder({out.axis(0), chunk, group, tile, block, pixel, out.axis(4)});
  const Axis shared = out.Fuse({out.axis(0), chunk, group});
  out.Parallel(shared).Unroll(block).Unroll(pixel).Vectorize(out.axis(4));

  schedule::Stage& sum = s[products];
  sum.SetScope(expr::Scope::kLocal).ComputeAt(out, tile);
  // Pixels outside of blocks: a broadcast pixel is used up before the next one
  // is loaded, and only the weights stay in registers beside the sums.
  sum.Reorder({sum.reduce_axis(0), sum.reduce_axis(1), sum.axis(2), sum.axis(1),
               sum.axis(3)});
  sum.Unroll(sum.axis(1)).Unroll(sum.axis(2)).Vectorize(sum.axis(3));
}

}  // namespace assay::ops
