#include "compiler/ops/conv/split_conv.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/conv/conv2d.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matrix_tile.h"
#include "compiler/ops/stages.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;
using graph::Conv2dAttrs;
using schedule::Axis;

constexpr int64_t kRows = expr::kTileRows;
// Number of channels in a tile of weights.
constexpr int64_t kTileChannels = 2 * kRows;
// At least half of the tile registers hold factors.
constexpr int64_t kMostAccumulators = 4;
// Slow-down if the data and the sums of a chunk leave the L2 cache.
constexpr double kFarChunk = 1.2;
// Cycles to store the accumulators of a tile and to read them again.
constexpr double kStoreCycles = 64;
constexpr double kMemoryBytesPerCycle = 5;
// Measured cycles by which it takes longer to read a number if another core has
// split it.
constexpr double kRemoteCycles = 1.2;
// Cycles from the end of one parallel loop to the start of the next.
constexpr double kBarrierCycles = 8000;

MatrixTile TileOf(const target::Target& target) {
  const auto tile = FindMatrixTile(target, DType::Float32(), DType::Float32());
  CHECK(tile.has_value());
  return *tile;
}

// One dimension of the window.
struct Direction {
  int64_t stride = 1, dilation = 1, taps = 1, padding = 0;

  // The number of phases that taps read.
  int64_t phases() const { return std::min(stride, (taps - 1) * dilation + 1); }
  // How far the last tap is from the first, in positions of one phase.
  int64_t reach() const { return (taps - 1) * dilation / stride; }
  Expr Phase(const Expr& tap) const {
    return tap * AsInt(dilation) % AsInt(stride);
  }
  Expr Shift(const Expr& tap) const {
    return tap * AsInt(dilation) / AsInt(stride);
  }
};

struct Geometry {
  Direction vertical, horizontal;
  int64_t rows = 0, chunks = 0;       // of the result
  int64_t width = 0;                  // positions of a row
  int64_t tiles_p = 0, tiles_oc = 0;  // tiles of a register tile
  int64_t register_tiles = 0;         // of the positions of a chunk
  int64_t positions = 0;              // of the data of a chunk
  int64_t channel_tiles = 0, filter_groups = 0;
  // The columns of the filter if they are stored like channels, else 0.
  int64_t folded_columns = 0;
};

Geometry GeometryOf(const OpInstance& op, const Config& config) {
  const auto& attrs = op.attrs_as<Conv2dAttrs>();
  const Shape &w = op.stored[1].shape, &output = op.stored_output.shape;
  Geometry g;
  g.vertical = {attrs.strides[0], attrs.dilations[0], w[2], attrs.padding[0]};
  g.horizontal = {attrs.strides[1], attrs.dilations[1], w[3], attrs.padding[1]};
  g.folded_columns = op.encoding<graph::SplitFilters>(1)->columns;
  g.rows = config.Knob("rows");
  g.chunks = CeilDiv(output[2], g.rows);
  g.width = output[3] + g.horizontal.reach();
  const std::vector<int64_t>& tiles = config.Split("tiles");
  g.tiles_p = tiles[1];
  g.tiles_oc = tiles[2];
  const int64_t used = g.rows * g.width - g.horizontal.reach();
  g.register_tiles = CeilDiv(used, g.tiles_p * kRows);
  g.positions = g.register_tiles * g.tiles_p * kRows +
                g.vertical.reach() * g.width + g.horizontal.reach();
  g.channel_tiles = w[1];
  g.filter_groups = w[0] / g.tiles_oc;
  return g;
}

// The numbers of rows in a chunk, in ascending order.
std::vector<int64_t> PossibleRows(const OpInstance& op) {
  const int64_t height = op.stored_output.shape[2];
  std::set<int64_t> possible;
  for (int64_t chunks = 1; chunks <= height; ++chunks) {
    possible.insert(CeilDiv(height, chunks));
  }
  return {possible.begin(), possible.end()};
}

// Splits the data of all chunks.
te::Tensor SplitData(const te::Tensor& data, const Geometry& g,
                     const MatrixTile& tile) {
  const Shape& shape = data.shape();
  const int64_t block = shape[4], channels = shape[1] * block;
  const Direction &v = g.vertical, &h = g.horizontal;
  return te::Compute(
      {shape[0], g.chunks, g.channel_tiles, tile.parts(), v.phases(),
       h.phases(), CeilDiv(g.positions, g.width), g.width, tile.depth},
      "data",
      [&](const std::vector<Expr>& i) {
        const Expr row = (i[1] * AsInt(g.rows) + i[6]) * AsInt(v.stride) +
                         i[4] - AsInt(v.padding);
        Expr column = i[7] * AsInt(h.stride) + i[5] - AsInt(h.padding);
        const Expr element = i[2] * AsInt(tile.depth) + i[8];
        Expr channel = element;
        if (g.folded_columns > 0) {
          column = column + element / AsInt(channels) * AsInt(h.dilation);
          channel = element % AsInt(channels);
        }
        Expr inside = row >= 0 && row < AsInt(shape[2]) && column >= 0 &&
                      column < AsInt(shape[3]);
        const int64_t used = channels * std::max<int64_t>(g.folded_columns, 1);
        if (used < g.channel_tiles * tile.depth) {
          inside = inside && element < AsInt(used);
        }
        const Expr x = data({i[0], channel / AsInt(block), row, column,
                             channel % AsInt(block)});
        return SplitPart(expr::SelectOf(inside, x, expr::Const(x.dtype(), 0)),
                         i[3]);
      },
      "conv2d.data",
      {"n", "chunk", "ic.t", "part", "ph", "pw", "row", "column", "ic"});
}

te::Tensor Sums(const te::Tensor& data, const te::Tensor& weights,
                const Geometry& g, const MatrixTile& tile) {
  const te::ReduceAxis ic = te::MakeReduceAxis(g.channel_tiles, "ic.t");
  const te::ReduceAxis kh = te::MakeReduceAxis(g.vertical.taps, "kh");
  const te::ReduceAxis kw = te::MakeReduceAxis(g.horizontal.taps, "kw");
  const te::ReduceAxis term = te::MakeReduceAxis(tile.terms(), "term");
  const te::ReduceAxis k = te::MakeReduceAxis(kRows, "k");
  const te::ReduceAxis f = te::MakeReduceAxis(tile.factors(), "f");
  return te::Compute(
      {data.shape()[0], g.chunks, g.filter_groups, g.tiles_oc, g.register_tiles,
       g.tiles_p, kRows, kRows},
      "tile",
      [&](const std::vector<Expr>& i) {
        const Expr position = (i[4] * AsInt(g.tiles_p) + i[5]) * AsInt(kRows) +
                              i[6] + g.vertical.Shift(kh.var) * AsInt(g.width) +
                              g.horizontal.Shift(kw.var);
        const Expr a =
            data({i[0], i[1], ic.var, PartOfA(tile, term.var),
                  g.vertical.Phase(kh.var), g.horizontal.Phase(kw.var),
                  position / AsInt(g.width), position % AsInt(g.width),
                  k.var * AsInt(tile.factors()) + f.var});
        const Expr b =
            weights({i[2] * AsInt(g.tiles_oc) + i[3], ic.var, kh.var, kw.var,
                     PartOfB(tile, term.var), k.var, i[7], f.var});
        return te::Sum(TileFactorProduct(tile, a, b, /*packed=*/false, f.var),
                       {ic, kh, kw, term, k, f});
      },
      "conv2d.tile",
      {"n", "chunk", "oc.o", "oc.t", "p.o", "p.t", "p.i", "oc.i"});
}

// The accumulators of a register tile: a loop over the steps of the reduction,
// with all products of a step inside.
void ScheduleSums(schedule::Stage& sum, const te::Tensor& weights,
                  const MatrixTile& tile, int64_t prefetch) {
  const Axis term = sum.reduce_axis(3);
  sum.Reorder({sum.axis(4), sum.reduce_axis(0), sum.reduce_axis(1),
               sum.reduce_axis(2), term, sum.axis(5), sum.axis(3), sum.axis(6),
               sum.axis(7), sum.reduce_axis(4), sum.reduce_axis(5)});
  const Axis step =
      sum.Fuse({sum.reduce_axis(0), sum.reduce_axis(1), sum.reduce_axis(2)});
  sum.Unroll(term).Unroll(sum.axis(5)).Unroll(sum.axis(3));
  if (prefetch > 0) sum.Prefetch(weights, step, prefetch);
  sum.Tensorize(sum.axis(6), MatrixTileIntrin(tile, /*packed=*/false));
}

// Both parts of a vector of numbers, one vector after the other.
void ScheduleSplit(schedule::Stage& split, const OpInstance& op) {
  // Channels of one block are next to each other, and so are those of
  // neighbouring columns if there is only one block.
  const Shape& image = op.stored[0].shape;
  const bool folded = op.encoding<graph::SplitFilters>(1)->columns > 0;
  const int64_t depth = split.state().tensor().shape()[8];
  const int64_t lanes =
      folded && image[1] == 1 ? kRows : std::gcd(image[4], depth);
  const auto [vectors, lane] = split.Split(split.axis(8), lanes);
  split.Reorder({split.axis(0), split.axis(1), split.axis(2), split.axis(4),
                 split.axis(5), split.axis(6), split.axis(7), vectors,
                 split.axis(3), lane});
  split.Unroll(vectors).Unroll(split.axis(3)).Vectorize(lane);
}

// Returns true if 32-bit indices suffice for the split data, even if the chunks
// have one row each.
bool FitsIndices(const OpInstance& op) {
  const Geometry g =
      GeometryOf(op, Config().SetKnob("rows", 1).SetSplit("tiles", {-1, 4, 1}));
  const double elements =
      static_cast<double>(op.stored[0].shape[0] * g.chunks * g.channel_tiles) *
      static_cast<double>(2 * g.vertical.phases() * g.horizontal.phases()) *
      static_cast<double>((g.positions + g.width) * 2 * kRows);
  return elements < std::numeric_limits<int32_t>::max();
}

}  // namespace

bool SplitConvApplies(const OpInstance& op, const target::Target& target) {
  return op.encoding<graph::SplitFilters>(1) != nullptr &&
         op.stored_output.shape[4] == kRows && FitsIndices(op) &&
         FindMatrixTile(target, DType::Float32(), DType::Float32()).has_value();
}

std::vector<graph::Encoding> SplitConvWeights(const OpInstance& op,
                                              const target::Target& target) {
  if (!IsBlockedFloatConv(op) || BlockOf(op.output) != kRows ||
      !FindMatrixTile(target, DType::Float32(), DType::Float32())) {
    return {};
  }
  // Few channels leave most of a tile empty.
  const Shape& w = op.inputs[1].shape;
  const bool few = w[3] > 1 && w[1] * w[3] <= kTileChannels;
  return {graph::SplitFilters{few ? w[3] : 0}};
}

ConfigSpace SplitConvSpace(const OpInstance& op, const target::Target&) {
  ConfigSpace space;
  space.DefineKnob("rows", PossibleRows(op));
  SplitOptions tiles;
  tiles.policy = SplitPolicy::kCandidate;
  tiles.num_outputs = 3;
  for (const int64_t p : {1, 2, 4}) {
    for (const int64_t oc : Divisors(std::gcd(op.stored[1].shape[0], 4))) {
      if (p * oc <= kMostAccumulators) tiles.candidates.push_back({-1, p, oc});
    }
  }
  space.DefineSplit("tiles", op.stored[1].shape[0], tiles);
  space.DefineKnob("share_data", {0, 1});
  space.DefineKnob("prefetch", {0, 2, 4, 8, 16});
  return space;
}

Config DefaultSplitConvConfig(const OpInstance& op,
                              const target::Target& target) {
  const Shape& weights = op.stored[1].shape;
  const bool even = weights[0] % 2 == 0;
  const bool far = NumElements(op.stored[1].shape) > target.l2_bytes();
  const bool point = weights[2] * weights[3] == 1;
  // Two accumulators leave the processor more registers to load factors ahead
  // than four. Weights from memory are loaded once for four tiles of positions.
  std::vector<int64_t> tiles = {-1, 2, 1};
  if (far) tiles = {-1, 4, 1};
  if (!far && point && even) tiles = {-1, 1, 2};
  std::vector<Config> configs;
  for (const int64_t rows : PossibleRows(op)) {
    for (const int64_t share : {0, 1}) {
      configs.push_back(Config()
                            .SetKnob("rows", rows)
                            .SetSplit("tiles", tiles)
                            .SetKnob("share_data", share)
                            .SetKnob("prefetch", far ? 8 : 0));
    }
  }
  return Cheapest(configs, [&](const Config& config) {
    return SplitConvSeconds(op, target, config);
  });
}

double SplitConvSeconds(const OpInstance& op, const target::Target& target,
                        const Config& config) {
  const MatrixTile tile = TileOf(target);
  const Geometry g = GeometryOf(op, config);
  const int64_t cores = std::max(1, target.num_cores());
  const bool share = config.Knob("share_data") == 1;
  const int64_t chunks = op.stored[0].shape[0] * g.chunks;
  // The cycles of a chunk and a group of filters: tile products, and storing
  // and reading the sums.
  const int64_t steps = g.channel_tiles * g.vertical.taps * g.horizontal.taps;
  const auto pairs = static_cast<double>(g.tiles_p * g.tiles_oc);
  const double step =
      pairs * static_cast<double>(tile.terms()) * kTileProductCycles;
  // All weights of the group are read for each register tile, from memory for
  // the first one and from the L2 cache for the others. If all weights fit in
  // the cache, the first chunk of a core reads them from memory, and no other.
  const auto weights = static_cast<double>(NumElements(op.stored[1].shape) * 2 /
                                           g.filter_groups);
  const bool near = weights * static_cast<double>(g.filter_groups) <
                    static_cast<double>(target.l2_bytes()) / 2;
  const double products =
      static_cast<double>(g.register_tiles) *
      (static_cast<double>(steps) * step + pairs * kStoreCycles);
  const double first = std::max(
      0.0, weights / kMemoryBytesPerCycle - static_cast<double>(steps) * step);
  // Pairs of a chunk and a group of the busiest core.
  const int64_t own_groups = share ? CeilDiv(chunks * g.filter_groups, cores)
                                   : CeilDiv(chunks, cores) * g.filter_groups;
  const int64_t cold_groups =
      near ? std::min(own_groups, g.filter_groups) : own_groups;
  const int64_t elements = g.positions * g.channel_tiles * tile.depth *
                           g.vertical.phases() * g.horizontal.phases();
  double busiest = products * static_cast<double>(own_groups) +
                   first * static_cast<double>(cold_groups);
  const double split = static_cast<double>(elements) * kSplitCycles;
  if (!share) busiest += split * static_cast<double>(CeilDiv(chunks, cores));
  // Each number of the data has two parts of two bytes; sums have four bytes.
  const int64_t sums = g.rows * g.width * g.tiles_oc * kRows;
  if (4 * (elements + sums) > target.l2_bytes() * 3 / 4) busiest *= kFarChunk;
  double cycles = busiest;
  if (share) {
    const double others = 1 - 1 / static_cast<double>(cores);
    cycles += static_cast<double>(chunks) *
                  (split / static_cast<double>(cores) +
                   static_cast<double>(elements) * others * kRemoteCycles) +
              (cores > 1 ? kBarrierCycles : 0);
  }
  return std::max(
      Seconds(target, cycles * static_cast<double>(cores)),
      static_cast<double>(Bytes(op)) / Bandwidth(target, Bytes(op)));
}

te::Tensor SplitConv2d(const OpInstance& op, const Operands& in,
                       const target::Target& target, const Config& config) {
  const MatrixTile tile = TileOf(target);
  const Geometry g = GeometryOf(op, config);
  const te::Tensor data = SplitData(in[0], g, tile);
  const te::Tensor sums = Sums(data, in[1], g, tile);
  const int width = AsInt(kRows), tiles = AsInt(g.tiles_p) * width;
  const int tiles_oc = AsInt(g.tiles_oc);
  return te::Compute(
      op.stored_output.shape, "conv2d",
      [&](const std::vector<Expr>& i) {
        const Expr position = i[2] % AsInt(g.rows) * AsInt(g.width) + i[3];
        return sums({i[0], i[2] / AsInt(g.rows), i[1] / tiles_oc,
                     i[1] % tiles_oc, position / tiles,
                     position % tiles / width, position % width, i[4]});
      },
      "conv2d", {"n", "oc.o", "oh", "ow", "oc.i"});
}

void ScheduleSplitConv(schedule::Schedule& s, const OpInstance& op,
                       const te::Tensor&, const te::Tensor& output,
                       const target::Target& target, const Config& config) {
  const te::Tensor data = FindTagged(output, "conv2d.data");
  const te::Tensor tiles = FindTagged(output, "conv2d.tile");
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return tensor.same_as(data) || tensor.same_as(tiles);
  });
  const te::Tensor weights = te::InputsOf(tiles)[1];
  const te::Tensor sums = s.CacheWrite(tiles, expr::Scope::kLocal);
  const bool share = config.Knob("share_data") == 1;

  schedule::Stage& out = s[output];
  const auto [chunk, row] = out.Split(out.axis(2), config.Knob("rows"));
  const auto [group, filters] =
      out.Split(out.axis(1), config.Split("tiles")[2]);
  out.Reorder(
      {out.axis(0), chunk, group, filters, row, out.axis(3), out.axis(4)});
  out.Vectorize(out.axis(4));
  // The loop over chunks, or over pairs of a chunk and a group of filters.
  const Axis own = share ? out.Fuse({out.axis(0), chunk, group})
                         : out.Fuse(out.axis(0), chunk);
  out.Parallel(own);

  schedule::Stage& copy = s[tiles];
  copy.ComputeAt(out, share ? own : group);
  copy.Reorder({copy.axis(4), copy.axis(3), copy.axis(5)});
  copy.Unroll(copy.axis(3)).Unroll(copy.axis(5));
  copy.Tensorize(copy.axis(6), CopyTileIntrin(TileOf(target)));
  schedule::Stage& sum = s[sums];
  sum.ComputeAt(copy, copy.axis(4));
  ScheduleSums(sum, weights, TileOf(target), config.Knob("prefetch"));

  schedule::Stage& split = s[data];
  ScheduleSplit(split, op);
  if (share) {
    split.Parallel(split.Fuse({split.axis(0), split.axis(1), split.axis(2)}));
  } else {
    split.ComputeAt(out, own);
  }
}

}  // namespace assay::ops
