#include "compiler/ops/reduction/tiled_reduction.h"

#include <algorithm>
#include <vector>

#include "compiler/ops/apply_config.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using schedule::Axis;
using schedule::Schedule;
using schedule::Stage;
using schedule::Tail;

int64_t TiledExtent(const Shape& output) {
  return output.size() >= 2 ? output[output.size() - 2] : 1;
}

// Splits the loops of the output into rows, tiles, vectors of a tile, and the
// pixels and lanes of one tile. Returns the loop in which a tile is computed.
Axis TileOutput(Stage& out, int ndim, int64_t lanes, const Config& config,
                bool parallel) {
  std::vector<Axis> rows;
  for (int d = 0; d + 2 < ndim; ++d) rows.push_back(out.axis(d));
  const auto pixels = ApplySplit(out, out.axis(ndim - 2), config.Split("tile"),
                                 Tail::kShiftInwards);
  std::vector<Axis> order = {pixels[0]};
  Axis lane = out.axis(ndim - 1);
  if (lane.extent > lanes) {
    const auto [vectors, vector] = out.Split(lane, lanes, Tail::kShiftInwards);
    order.push_back(vectors);
    lane = vector;
  }
  const Axis at = order.back();
  if (rows.size() > 1) rows = {out.Fuse(rows)};
  order.insert(order.begin(), rows.begin(), rows.end());
  if (parallel) out.Parallel(order[0]);
  order.push_back(pixels[1]);
  order.push_back(lane);
  out.Reorder(order);
  out.Unroll(pixels[1]);
  if (lane.extent > 1) out.Vectorize(lane);
  return at;
}

}  // namespace

ConfigSpace TileSpace(const Shape& output, const target::Target& target) {
  SplitOptions tile;
  tile.policy = SplitPolicy::kVerbose;
  tile.max_factor = std::max(1, target.vector_registers() / 2);
  ConfigSpace space;
  space.DefineSplit("tile", TiledExtent(output), tile);
  space.DefineKnob("inline_pad", {0, 1});
  return space;
}

Config DefaultTileConfig(const Shape& output, const target::Target& target) {
  const int64_t extent = TiledExtent(output);
  const int64_t most = std::clamp<int64_t>(target.vector_registers() / 2, 1, 8);
  int64_t tile = LargestDivisor(extent, most);
  if (tile < 4 && extent > 4 && most >= 4) tile = 4;
  return Config().SetSplit("tile", {-1, tile}).SetKnob("inline_pad", 0);
}

void ScheduleTiledReduction(Schedule& s, const te::Tensor& reduce,
                            const te::Tensor& output,
                            const target::Target& target,
                            const Config& config) {
  const int ndim = output.ndim();
  if (ndim < 2) return ScheduleReduction(s, output, target);
  const bool parallel = IsWorthThreads(KernelWork(s));
  InlineOrWritePad(s, reduce, output, target, config);
  Stage& acc = s[AccumulateLocally(s, reduce, output)];
  Stage& out = s[output];
  const Axis at = TileOutput(out, ndim, FloatLanes(target), config, parallel);
  acc.ComputeAt(out, at);
  std::vector<Axis> loops = acc.state().reduce_axes;
  loops.push_back(acc.axis(ndim - 2));
  loops.push_back(acc.axis(ndim - 1));
  acc.Reorder(loops);
  acc.Unroll(acc.axis(ndim - 2));
  acc.Vectorize(acc.axis(ndim - 1));
}

}  // namespace assay::ops
