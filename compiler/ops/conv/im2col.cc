#include "compiler/ops/conv/im2col.h"

#include <algorithm>
#include <set>
#include <vector>

#include "absl/strings/match.h"
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

// Cycles to copy a vector of pixels to where it is gathered and to bring it
// back from a farther cache than it came from.
constexpr double kGatherCycles = 5;
// What is left of the first cache's bandwidth, and then of the second's, where
// the weights of a tile do not stay in the first.
constexpr double kStreamedWeights = 1.25;

struct Problem {
  int64_t images = 0, pixels = 0;  // of one image
  int64_t steps = 0;               // of the reduction
  int64_t in_blocks = 0;
  int64_t blocks = 0, block = 0;  // of output channels
  bool gathers = false;
};

bool Gathers(const Conv2dAttrs& attrs, const Shape& weights) {
  return weights[2] != 1 || weights[3] != 1 ||
         attrs.padding != graph::Padding{0, 0, 0, 0} ||
         attrs.strides != graph::Pair{1, 1};
}

Problem ProblemOf(const OpInstance& op) {
  const Shape &out = op.output.shape, &weights = op.inputs[1].shape;
  return {out[0],
          out[2] * out[3],
          weights[1] * weights[2] * weights[3] * weights[4],
          weights[1],
          out[1],
          out[4],
          Gathers(op.attrs_as<Conv2dAttrs>(), weights)};
}

// Sizes of as good as equal chunks.
std::vector<int64_t> Chunks(int64_t tiles) {
  std::set<int64_t> result;
  for (int64_t n = 1; n <= tiles; ++n) result.insert(CeilDiv(tiles, n));
  return {result.begin(), result.end()};
}

// Of the weights that a register tile needs.
int64_t PanelBytes(const Problem& p, int64_t tile_oc) {
  return p.steps * tile_oc * p.block * 4;
}

bool PanelFits(const Problem& p, int64_t tile_oc, int64_t parts,
               const target::Target& target) {
  return PanelBytes(p, tile_oc) / parts <= target.l1_bytes() * 5 / 8;
}

Config ChooseFor(const Problem& p, const target::Target& target,
                 int64_t tile_oc) {
  const int64_t rows =
      BestTileRows(target, p.pixels, VectorsOf(target, tile_oc * p.block));
  int64_t parts = 1;
  for (const int64_t d : Divisors(p.in_blocks)) {
    parts = d;
    if (PanelFits(p, tile_oc, d, target)) break;
  }
  // Half of the L2 cache for the pixels of a chunk.
  const int64_t tile_bytes = rows * p.steps / parts * 4;
  int64_t chunk = 1;
  for (const int64_t c : Chunks(CeilDiv(p.pixels, rows))) {
    if (c * tile_bytes <= target.l2_bytes() / 2) chunk = c;
  }
  const int64_t groups = p.blocks / tile_oc;
  const int64_t chunks = CeilDiv(CeilDiv(p.pixels, rows), chunk) * p.images;
  const int64_t cores = target.num_cores() > 0 ? target.num_cores() : 4;
  // As few tasks as keep the cores even: the more groups in one, the longer its
  // pixels are of use.
  constexpr int64_t kTasksPerCore = 2;
  int64_t per_task = 1;
  for (const int64_t d : Divisors(groups)) {
    if (parts > 1 && groups / d * chunks >= kTasksPerCore * cores) per_task = d;
  }
  return Config()
      .SetKnob("tile_p", rows)
      .SetKnob("tile_oc", tile_oc)
      .SetKnob("chunk", chunk)
      .SetKnob("ic_parts", parts)
      .SetKnob("groups", per_task);
}

// Pixels outside of blocks: a broadcast pixel is used up before the next one
// is loaded, and only the weights stay in registers beside the sums.
void TileSteps(schedule::Stage& acc, int first) {
  const schedule::Axis blocks = acc.axis(first), pixels = acc.axis(first + 1),
                       lanes = acc.axis(first + 2);
  acc.SetScope(expr::Scope::kLocal)
      .Reorder({acc.reduce_axis(0), acc.reduce_axis(1), acc.reduce_axis(2),
                acc.reduce_axis(3), pixels, blocks, lanes});
  acc.Unroll(pixels).Unroll(blocks).Vectorize(lanes);
}

// A row of the result at a time, of which all but the ends lie inside the data.
void ScheduleGather(schedule::Stage& gathered, int64_t width) {
  const auto [row, column] = gathered.Split(gathered.axis(4), width);
  gathered.Vectorize(gathered.axis(5));
  gathered.Parallel(gathered.Fuse(gathered.axis(0), gathered.axis(1)));
}

}  // namespace

bool Im2colApplies(const OpInstance& op, const target::Target& target) {
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  if (attrs.out_block == 0 || attrs.winograd != 0 || attrs.groups != 1)
    return false;
  const Problem p = ProblemOf(op);
  if (!p.gathers) return true;
  const int64_t bytes = p.images * p.pixels * p.steps * 4;
  return attrs.in_block % FloatLanes(target) == 0 &&
         bytes <= std::max(target.l3_bytes(), 4 * target.l2_bytes()) / 4;
}

te::Tensor Im2colConv2d(const OpInstance& op, const Operands& operands,
                        const target::Target&, const Config&) {
  const te::Tensor &data = operands[0], &weights = operands[1];
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  const Shape &output = op.output.shape, &taps = weights.shape();
  const int width = AsInt(output[3]);
  const SlidingWindow window = WindowOf(attrs, taps[2], taps[3]);
  const te::Tensor padded =
      PadFor(data, window, output, expr::Const(data.dtype(), 0));
  const te::Tensor pixels = te::Compute(
      {output[0], taps[1], taps[2], taps[3], output[2] * output[3], taps[4]},
      "pixels",
      [&](const std::vector<Expr>& i) {
        const Expr row = i[4] / width * AsInt(attrs.strides[0]) +
                         i[2] * AsInt(attrs.dilations[0]);
        const Expr column = i[4] % width * AsInt(attrs.strides[1]) +
                            i[3] * AsInt(attrs.dilations[1]);
        return padded(i[0], i[1], row, column, i[5]);
      },
      Gathers(attrs, taps) ? "im2col.gathered" : "",
      {"n", "ic.o", "kh", "kw", "p", "ic.i"});
  const ReduceAxis ic_o = te::MakeReduceAxis(taps[1], "ic.o");
  const ReduceAxis ic_i = te::MakeReduceAxis(taps[4], "ic.i");
  const te::Tensor products = te::Compute(
      {output[0], output[1], output[2] * output[3], output[4]}, "products",
      [&](const std::vector<Expr>& i) {
        const Expr pixel = pixels(i[0], ic_o.var, window.kh.var, window.kw.var,
                                  i[2], ic_i.var);
        const Expr weight = weights(i[1], ic_o.var, window.kh.var,
                                    window.kw.var, ic_i.var, i[3]);
        return te::Sum(pixel * weight, {ic_o, window.kh, window.kw, ic_i});
      },
      "im2col.products", {"n", "oc.o", "p", "oc.i"});
  return te::Compute(output, "conv2d",
                     [&](const std::vector<Expr>& i) {
                       return products(i[0], i[1], i[2] * width + i[3], i[4]);
                     },
                     "conv2d", {"n", "oc.o", "oh", "ow", "oc.i"});
}

ConfigSpace Im2colSpace(const OpInstance& op, const target::Target& target) {
  const Problem p = ProblemOf(op);
  std::vector<int64_t> rows;
  const int64_t most = std::min(p.pixels, MaxTileRows(target, 1));
  for (int64_t r = 1; r <= most; ++r) rows.push_back(r);
  ConfigSpace space;
  space.DefineKnob("tile_p", rows);
  space.DefineKnob("tile_oc", TileBlocks(target, p.blocks, p.block));
  space.DefineKnob("chunk", Chunks(p.pixels));
  space.DefineKnob("ic_parts", Divisors(p.in_blocks));
  space.DefineKnob("groups", Divisors(p.blocks));
  return space;
}

Config DefaultIm2colConfig(const OpInstance& op, const target::Target& target) {
  const Problem p = ProblemOf(op);
  std::vector<Config> configs;
  for (const int64_t tile_oc : TileBlocks(target, p.blocks, p.block)) {
    configs.push_back(ChooseFor(p, target, tile_oc));
  }
  return Cheapest(configs, [&](const Config& config) {
    return Im2colSeconds(op, target, config);
  });
}

double Im2colSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config) {
  const Problem p = ProblemOf(op);
  const int64_t tile_oc = config.Knob("tile_oc");
  const double step = TiledStepCycles(target, p.pixels, config.Knob("tile_p"),
                                      VectorsOf(target, tile_oc * p.block));
  double cycles =
      step * static_cast<double>(p.images * p.steps * (p.blocks / tile_oc));
  if (!PanelFits(p, tile_oc, config.Knob("ic_parts"), target)) {
    cycles *= kStreamedWeights;
  }
  if (p.gathers) {
    cycles += kGatherCycles * static_cast<double>(p.images * p.pixels *
                                                  p.steps / FloatLanes(target));
  }
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

void ScheduleIm2col(schedule::Schedule& s, const te::Tensor&,
                    const te::Tensor& output, const target::Target& target,
                    const Config& config) {
  using schedule::Axis;
  const te::Tensor products = FindTagged(output, "im2col.products");
  const te::Tensor gathered = FindTagged(output, "im2col.gathered");
  InlineOthers(s, output, [&](const te::Tensor& tensor) {
    return absl::StartsWith(tensor->tag, "im2col.") || tensor->tag == "pad";
  });
  const te::Tensor pad = FindTagged(output, "pad");
  if (pad.defined()) ParallelizeRows(s, pad, target);
  if (gathered.defined()) ScheduleGather(s[gathered], output.shape()[3]);

  const int64_t tile_p = config.Knob("tile_p"), parts = config.Knob("ic_parts");
  const int64_t tile_oc = config.Knob("tile_oc");
  schedule::Stage& out = s[output];
  out.Reorder(
      {out.axis(0), out.axis(2), out.axis(3), out.axis(1), out.axis(4)});
  const Axis p = out.Fuse(out.axis(2), out.axis(3));
  if (parts == 1) {
    const auto [group, block] = out.Split(out.axis(1), tile_oc);
    const auto [tiles, pixel] = out.Split(p, tile_p, schedule::Tail::kShift);
    const auto [chunk, tile] = out.Split(tiles, config.Knob("chunk"));
    out.Reorder({out.axis(0), chunk, group, tile, block, pixel, out.axis(4)});
    out.Parallel(out.Fuse({out.axis(0), chunk, group}));
    out.Unroll(block).Unroll(pixel).Vectorize(out.axis(4));
    schedule::Stage& acc = s[products];
    acc.ComputeAt(out, tile);
    TileSteps(acc, 1);
    return;
  }
  const auto [task, blocks] =
      out.Split(out.axis(1), config.Knob("groups") * tile_oc);
  const auto [chunk, pixels] =
      out.Split(p, config.Knob("chunk") * tile_p, schedule::Tail::kShift);
  out.Reorder({out.axis(0), chunk, task, blocks, pixels, out.axis(4)});
  const Axis shared = out.Fuse({out.axis(0), chunk, task});
  out.Parallel(shared).Vectorize(out.axis(4));

  schedule::Stage& sums = s[products];
  const Axis part = sums.SplitParts(sums.reduce_axis(0), parts).first;
  schedule::Stage& acc = s[s.RFactor(products, part)];
  const auto [group, block] = sums.Split(sums.axis(1), tile_oc);
  const auto [tile, pixel] = sums.Split(sums.axis(2), tile_p);
  sums.Reorder({sums.axis(0), sums.reduce_axis(0), group, tile, block, pixel,
                sums.axis(3)});
  sums.Unroll(block).Unroll(pixel).Vectorize(sums.axis(3));
  sums.ComputeAt(out, shared);
  acc.ComputeAt(sums, tile);
  TileSteps(acc, 2);
}

}  // namespace assay::ops
