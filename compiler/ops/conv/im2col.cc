#include "compiler/ops/conv/im2col.h"

#include <algorithm>
#include <tuple>
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

// Cycles to gather a vector of pixels: by the task that uses it, or for all
// tasks through an outer cache.
constexpr double kGatherCycles = 2.5;
constexpr double kGatherForAllCycles = 16;
// Up to this many tasks of a strip each gather the same pixels.
constexpr int64_t kMostGatherers = 4;
// Slow-down if the weights of a tile do not stay in the L1 cache.
constexpr double kStreamedWeights = 1.25;
// Bandwidth of the L3 cache.
constexpr double kBytesPerCycle = 16;

// Skipping taps is worth loops of variable length if at most this share of rows
// remains.
constexpr double kMostRowsToSkipBy = 0.9;

struct Problem {
  int64_t images = 0;
  int64_t height = 0, width = 0;  // size of the result
  int64_t steps = 0;              // length of the reduction
  int64_t in_blocks = 0;          // number of blocks of input channels
  int64_t blocks = 0, block = 0;  // number and size of blocks of filters
  bool gathers = false;
};

bool Gathers(const Conv2dAttrs& attrs, const Shape& weights) {
  return weights[2] != 1 || weights[3] != 1 ||
         attrs.padding != graph::Padding{0, 0, 0, 0} ||
         attrs.strides != graph::Pair{1, 1};
}

Problem ProblemOf(const OpInstance& op) {
  const Shape &out = op.stored_output.shape, &weights = op.stored[1].shape;
  Problem p;
  p.images = out[0];
  p.height = out[2];
  p.width = out[3];
  p.steps = weights[1] * weights[2] * weights[3] * weights[4];
  p.in_blocks = weights[1];
  p.blocks = out[1];
  p.block = out[4];
  p.gathers = Gathers(op.attrs_as<Conv2dAttrs>(), weights);
  return p;
}

// Bytes of the weights of a register tile.
int64_t PanelBytes(const Problem& p, int64_t tile_oc) {
  return p.steps * tile_oc * p.block * 4;
}

bool PanelFits(const Problem& p, int64_t tile_oc, int64_t parts,
               const target::Target& target) {
  return PanelBytes(p, tile_oc) / parts <= target.l1_bytes() * 5 / 8;
}

// The smallest number of parts with which a panel fits, or the number of
// blocks.
int64_t PartsFor(const Problem& p, int64_t tile_oc,
                 const target::Target& target) {
  for (const int64_t parts : Divisors(p.in_blocks)) {
    if (PanelFits(p, tile_oc, parts, target)) return parts;
  }
  return p.in_blocks;
}

// The parallel tasks of a configuration.
struct Tasks {
  int64_t strips = 0;     // strips of rows in all images
  int64_t per_strip = 0;  // tasks per strip, which divide the output channels
  bool gather = false;    // true if each task gathers its own pixels
};

Tasks TasksOf(const Problem& p, const Config& config) {
  Tasks tasks;
  tasks.strips = p.images * p.height / config.Knob("rows");
  tasks.per_strip =
      CeilDiv(p.blocks, config.Knob("groups") * config.Knob("tile_oc"));
  tasks.gather = p.gathers && tasks.per_strip <= kMostGatherers;
  return tasks;
}

// Returns true if tiles end at the end of a row and skip taps that read only
// padding.
bool ByRow(const Config& config) { return config.Knob("by_row") != 0; }

// The share of the rows read by taps that lies inside the data.
double ShareOfRows(const OpInstance& op) {
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  const int64_t rows = op.stored_output.shape[2], taps = op.stored[1].shape[2];
  int64_t inside = 0;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t at =
          row * attrs.strides[0] + tap * attrs.dilations[0] - attrs.padding[0];
      if (at >= 0 && at < op.stored[0].shape[2]) ++inside;
    }
  }
  return static_cast<double>(inside) / static_cast<double>(rows * taps);
}

double GatherCycles(const Problem& p, const target::Target& target,
                    const Tasks& tasks) {
  if (!p.gathers) return 0;
  const int64_t vectors =
      p.images * p.height * p.width * p.steps / FloatLanes(target);
  return static_cast<double>(vectors) *
         (tasks.gather ? kGatherCycles * static_cast<double>(tasks.per_strip)
                       : kGatherForAllCycles);
}

// Cycles to load pixels into the L2 cache again, half of which they may occupy:
// once per task if the pixels of a part stay there, otherwise once per register
// tile of channels.
double PixelCycles(const Problem& p, const target::Target& target,
                   const Config& config, const Tasks& tasks) {
  const int64_t bytes = config.Knob("rows") * p.width * p.steps * 4;
  const int64_t room = target.l2_bytes() / 2;
  if (bytes <= room) return 0;
  const int64_t times = bytes / config.Knob("ic_parts") <= room
                            ? tasks.per_strip
                            : p.blocks / config.Knob("tile_oc");
  return static_cast<double>(tasks.strips * times * bytes) / kBytesPerCycle;
}

// Cycles to load weights that do not stay in the last cache, once per strip of
// rows.
double WeightCycles(const Problem& p, const target::Target& target,
                    const Tasks& tasks) {
  const int64_t bytes = p.steps * p.blocks * p.block * 4;
  const int64_t cache = std::max(target.l3_bytes(), 2 * target.l2_bytes());
  if (bytes <= cache / 2) return 0;
  return static_cast<double>(tasks.strips * bytes) / kBytesPerCycle;
}

// Cycles to store and load partial sums that go to the L3 cache between parts.
double SumCycles(const Problem& p, const target::Target& target,
                 const Config& config) {
  const int64_t parts = config.Knob("ic_parts");
  const int64_t channels = config.Knob("groups") * config.Knob("tile_oc");
  const int64_t of_task =
      config.Knob("rows") * p.width * channels * p.block * 4;
  if (parts == 1 || of_task <= target.l2_bytes() / 2) return 0;
  const int64_t all = p.images * p.height * p.width * p.blocks * p.block * 4;
  return static_cast<double>(2 * parts * all) / kBytesPerCycle;
}

// Ratio of the work of the busiest thread to an equal share; if the number of
// cores is unknown, the average for 2 and 4 cores.
double Imbalance(const target::Target& target, const Tasks& tasks) {
  const int64_t number = tasks.strips * tasks.per_strip;
  const auto on = [&](int64_t cores) {
    return static_cast<double>(CeilDiv(number, cores) * cores) /
           static_cast<double>(number);
  };
  if (target.num_cores() > 0) return on(target.num_cores());
  return (on(2) + on(4)) / 2;
}

// `first` is the axis of blocks of channels. A tile has one run, whose loop
// goes outside the reduction.
void ScheduleSums(schedule::Stage& sums, int first, int64_t accumulators,
                  const target::Target& target) {
  sums.SetScope(expr::Scope::kLocal);
  sums.Reorder({sums.axis(first + 1), sums.axis(first)});
  ScheduleTile(sums, {sums.axis(first + 2), sums.axis(first)},
               sums.axis(first + 3), accumulators, target);
}

// Gathers one row of the result at a time, of which all but the ends lie inside
// the data. The ends depend on the tap, so each tap has its own loops.
void LoopOverRows(schedule::Stage& gathered, int64_t width) {
  gathered.Split(gathered.axis(4), width);
  gathered.Unroll(gathered.axis(2)).Unroll(gathered.axis(3));
  gathered.Vectorize(gathered.axis(5));
}

}  // namespace

bool Im2colApplies(const OpInstance& op, const target::Target& target) {
  const auto* filters = op.encoding<graph::FilterBlocks>(1);
  return filters != nullptr && filters->depth == 0 &&
         op.attrs_as<Conv2dAttrs>().groups == 1 &&
         (BlockOf(op.inputs[0]) % FloatLanes(target) == 0 ||
          !ProblemOf(op).gathers);
}

te::Tensor Im2colConv2d(const OpInstance& op, const Operands& operands,
                        const target::Target&, const Config& config) {
  const te::Tensor &data = operands[0], &weights = operands[1];
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  const Shape &output = op.stored_output.shape, &taps = weights.shape();
  const int width = AsInt(output[3]);
  const SlidingWindow window = WindowOf(attrs, taps[2], taps[3]);
  const te::Tensor padded =
      PadFor(data, window, output, PadValue(data.dtype(), attrs));
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
  // Tiles are cut from runs of pixels: rows, or the whole image.
  const bool by_row = ByRow(config);
  const int64_t runs = by_row ? output[2] : 1;
  const int64_t run = output[2] * output[3] / runs;
  const te::Tensor products = te::Compute(
      {output[0], output[1], runs, run, output[4]}, "products",
      [&](const std::vector<Expr>& i) {
        const Expr pixel = pixels(i[0], ic_o.var, window.kh.var, window.kw.var,
                                  i[2] * AsInt(run) + i[3], ic_i.var);
        Expr product = pixel * weights(i[1], ic_o.var, window.kh.var,
                                       window.kw.var, ic_i.var, i[4]);
        if (by_row) {
          const Expr row = RowIndex(i[2], window);
          const int top = AsInt(attrs.padding[0]);
          product =
              expr::SelectOf(row >= top && row < AsInt(data.shape()[2]) + top,
                             product, expr::Const(product.dtype(), 0));
        }
        return te::Sum(product, {ic_o, window.kh, window.kw, ic_i});
      },
      "im2col.products", {"n", "oc.o", "run", "p", "oc.i"});
  return te::Compute(output, "conv2d",
                     [&](const std::vector<Expr>& i) {
                       return by_row ? products(i)
                                     : products(i[0], i[1], 0,
                                                i[2] * width + i[3], i[4]);
                     },
                     "conv2d", {"n", "oc.o", "oh", "ow", "oc.i"});
}

ConfigSpace Im2colSpace(const OpInstance& op, const target::Target& target) {
  const Problem p = ProblemOf(op);
  std::vector<int64_t> tile_p;
  const int64_t most = std::min(p.height * p.width, MaxTileRows(target, 1));
  for (int64_t r = 1; r <= most; ++r) tile_p.push_back(r);
  ConfigSpace space;
  space.DefineKnob("tile_p", tile_p);
  space.DefineKnob("tile_oc", TileBlocks(target, p.blocks, p.block));
  space.DefineKnob("rows", Divisors(p.height));
  space.DefineKnob("ic_parts", Divisors(p.in_blocks));
  space.DefineKnob("groups", Divisors(p.blocks));
  space.DefineKnob("by_row", {0, 1});
  return space;
}

Config DefaultIm2colConfig(const OpInstance& op, const target::Target& target) {
  const Problem p = ProblemOf(op);
  std::vector<int64_t> rows = Divisors(p.height);
  std::reverse(rows.begin(), rows.end());
  std::vector<Config> configs;
  const auto add = [&](int64_t tile_oc, int64_t parts, int64_t by_row) {
    for (const int64_t r : rows) {
      const int64_t tile_p =
          BestTileRows(target, by_row > 0 ? p.width : r * p.width,
                       VectorsOf(target, tile_oc * p.block), p.steps / parts);
      for (const int64_t groups : Divisors(p.blocks / tile_oc)) {
        configs.push_back(Config()
                              .SetKnob("tile_p", tile_p)
                              .SetKnob("tile_oc", tile_oc)
                              .SetKnob("rows", r)
                              .SetKnob("ic_parts", parts)
                              .SetKnob("groups", groups)
                              .SetKnob("by_row", by_row));
      }
    }
  };
  for (const int64_t tile_oc : TileBlocks(target, p.blocks, p.block)) {
    const int64_t parts = PartsFor(p, tile_oc, target);
    add(tile_oc, parts, 0);
    if (ShareOfRows(op) > kMostRowsToSkipBy) continue;
    add(tile_oc, parts, 1);
    // With more parts the pixels of more rows stay in the L2 cache.
    if (parts > 1 && p.in_blocks % (2 * parts) == 0) add(tile_oc, 2 * parts, 1);
  }
  return Cheapest(configs, [&](const Config& config) {
    return Im2colSeconds(op, target, config);
  });
}

double Im2colSeconds(const OpInstance& op, const target::Target& target,
                     const Config& config) {
  const Problem p = ProblemOf(op);
  const int64_t tile_oc = config.Knob("tile_oc");
  const Tasks tasks = TasksOf(p, config);
  const int64_t rows = config.Knob("rows"), runs = ByRow(config) ? rows : 1;
  const double step =
      static_cast<double>(runs) *
      TiledStepCycles(target, rows / runs * p.width, config.Knob("tile_p"),
                      VectorsOf(target, tile_oc * p.block),
                      p.steps / config.Knob("ic_parts"));
  double cycles =
      step * static_cast<double>(tasks.strips * p.steps * (p.blocks / tile_oc));
  if (ByRow(config)) cycles *= ShareOfRows(op);
  if (!PanelFits(p, tile_oc, config.Knob("ic_parts"), target)) {
    cycles *= kStreamedWeights;
  }
  cycles += GatherCycles(p, target, tasks);
  cycles += PixelCycles(p, target, config, tasks);
  cycles += WeightCycles(p, target, tasks) + SumCycles(p, target, config);
  cycles *= Imbalance(target, tasks);
  return std::max(Seconds(target, cycles), static_cast<double>(Bytes(op)) /
                                               Bandwidth(target, Bytes(op)));
}

void ScheduleIm2col(schedule::Schedule& s, const OpInstance& op,
                    const te::Tensor&, const te::Tensor& output,
                    const target::Target& target, const Config& config) {
  using schedule::Axis;
  const te::Tensor products = FindTagged(output, "im2col.products");
  const te::Tensor gathered = FindTagged(output, "im2col.gathered");
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return absl::StartsWith(tensor->tag, "im2col.");
  });
  const int64_t tile_p = config.Knob("tile_p"), parts = config.Knob("ic_parts");
  const int64_t tile_oc = config.Knob("tile_oc");
  const int64_t groups = config.Knob("groups");
  const int64_t accumulators =
      tile_p * VectorsOf(target, tile_oc * output.shape()[4]);
  schedule::Stage& out = s[output];
  const auto [task, channels] = out.Split(out.axis(1), groups * tile_oc);
  const auto [group, block] = out.Split(channels, tile_oc);
  const auto [strip, row] = out.Split(out.axis(2), config.Knob("rows"));
  out.Reorder(
      {out.axis(0), strip, task, row, out.axis(3), group, block, out.axis(4)});
  const Axis shared = out.Fuse({out.axis(0), strip, task});
  out.Parallel(shared).Vectorize(out.axis(4));
  // The run that tiles are cut from: a row, or all pixels of the task.
  Axis run = row, p = out.axis(3);
  if (!ByRow(config)) {
    const Axis all = out.Fuse(row, p);
    std::tie(run, p) = out.Split(all, all.extent);
  }
  schedule::Stage& sums = s[products];
  if (parts == 1) {
    const auto [tile, pixel] =
        out.Split(p, tile_p, schedule::Tail::kShiftInwards);
    out.Reorder({group, run, tile, block, pixel, out.axis(4)});
    out.Unroll(block).Unroll(pixel);
    sums.ComputeAt(out, tile);
    ScheduleSums(sums, 1, accumulators, target);
  } else {
    out.Reorder({group, block, run, p, out.axis(4)});
    const Axis part = sums.SplitParts(sums.reduce_axis(0), parts).first;
    schedule::Stage& acc = s[s.RFactor(products, part)];
    const auto [sums_group, sums_block] = sums.Split(sums.axis(1), tile_oc);
    const auto [tile, pixel] = sums.Split(sums.axis(3), tile_p);
    sums.Reorder({sums.axis(0), sums.reduce_axis(0), sums_group, sums.axis(2),
                  tile, sums_block, pixel, sums.axis(4)});
    sums.Unroll(sums_block).Unroll(pixel).Vectorize(sums.axis(4));
    sums.ComputeAt(out, shared);
    acc.ComputeAt(sums, tile);
    ScheduleSums(acc, 2, accumulators, target);
  }
  if (!gathered.defined()) return;
  schedule::Stage& gather = s[gathered];
  LoopOverRows(gather, output.shape()[3]);
  if (TasksOf(ProblemOf(op), config).gather) {
    gather.ComputeAt(out, shared);
  } else {
    gather.Parallel(gather.Fuse(gather.axis(0), gather.axis(1)));
  }
}

}  // namespace assay::ops
