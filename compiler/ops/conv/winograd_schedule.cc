#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/graph/encoding/winograd.h"
#include "compiler/ops/conv/winograd.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

// Returns the time of arithmetic and loads that overlap, but not completely.
double Overlapped(double compute, double load) {
  constexpr double kNotHidden = 0.25;
  return std::max(compute, load) + kNotHidden * std::min(compute, load);
}

// The sizes that a configuration depends on.
struct Problem {
  int64_t taps = 0;  // alpha^2, the number of products
  int64_t channels = 0, filters = 0;
  int64_t images = 0;
  int64_t tiles = 0;              // tiles of all images
  int64_t blocks = 0, block = 0;  // number and size of blocks in the result
  int64_t weight_block = 0;       // output channels of a register tile
};

Problem ProblemOf(const OpInstance& op) {
  const Shape& weights = op.stored[1].shape;
  const Shape& output = op.stored_output.shape;
  const int64_t m = op.encoding<graph::WinogradFilters>(1)->m;
  Problem p;
  p.taps = weights[0] * weights[1];
  p.channels = weights[3];
  p.filters = weights[2] * weights[4];
  p.images = output[0];
  p.tiles = output[0] * CeilDiv(output[2], m) * CeilDiv(output[3], m);
  p.blocks = output[1];
  p.block = output[4];
  p.weight_block = weights[4];
  return p;
}

// The numbers of blocks of the result that consist of whole blocks of weights.
std::vector<int64_t> Groups(const OpInstance& op) {
  const Problem p = ProblemOf(op);
  const int64_t least = std::max<int64_t>(1, p.weight_block / p.block);
  std::vector<int64_t> groups;
  for (int64_t g = least; g <= p.blocks; ++g) {
    if (p.blocks % g == 0 && g % least == 0) groups.push_back(g);
  }
  if (groups.empty()) groups.push_back(p.blocks);
  return groups;
}

// Chunk sizes: small ones that suit register tiles, and those that divide the
// tiles into few equal parts. Bound inference finds the tiles of a chunk only
// if there is a single image or the chunks are equal: otherwise the last chunk
// would reach into an image that does not exist.
std::vector<int64_t> Chunks(const Problem& p) {
  std::set<int64_t> chunks;
  for (int64_t chunk : {4,  5,  6,  8,  10, 12, 15, 16, 18, 20, 24,  25, 28,
                        30, 36, 40, 48, 50, 56, 60, 72, 80, 96, 100, 120}) {
    if (chunk < p.tiles) chunks.insert(chunk);
  }
  for (int64_t parts = 1; parts <= std::min<int64_t>(p.tiles, 16); ++parts) {
    chunks.insert(CeilDiv(p.tiles, parts));
  }
  if (p.images > 1) {
    constexpr int64_t kMaxPart = 120;
    for (int64_t chunk = 4; chunk <= std::min(p.tiles, kMaxPart); ++chunk) {
      chunks.insert(chunk);
    }
    for (auto chunk = chunks.begin(); chunk != chunks.end();) {
      chunk = p.tiles % *chunk == 0 ? std::next(chunk) : chunks.erase(chunk);
    }
  }
  return {chunks.begin(), chunks.end()};
}

// The number of threads to provide work for; 4 if it is unknown.
int64_t Shares(const target::Target& target) {
  return target.num_cores() > 0 ? target.num_cores() : 4;
}

}  // namespace

ConfigSpace WinogradSpace(const OpInstance& op, const target::Target& target) {
  const Problem p = ProblemOf(op);
  ConfigSpace space;
  std::vector<int64_t> rows;
  for (int64_t r = 1;
       r <= MaxTileRows(target, VectorsOf(target, p.weight_block)); ++r) {
    rows.push_back(r);
  }
  space.DefineKnob("tile_p", rows);
  space.DefineKnob("chunk", Chunks(p));
  space.DefineKnob("group", Groups(op));
  space.DefineKnob("share_input", {0, 1});
  return space;
}

Config DefaultWinogradConfig(const OpInstance& op,
                             const target::Target& target) {
  const Problem p = ProblemOf(op);
  const std::vector<int64_t> groups = Groups(op);
  // Two groups per core balance the load.
  int64_t shared_group = groups.front();
  for (int64_t g : groups) {
    if (p.blocks / g >= 2 * Shares(target)) shared_group = g;
  }
  std::vector<Config> configs;
  for (const int64_t chunk : Chunks(p)) {
    const int64_t rows = BestTileRows(
        target, chunk, VectorsOf(target, p.weight_block), p.channels);
    for (const int64_t share : {0, 1}) {
      configs.push_back(
          Config()
              .SetKnob("tile_p", rows)
              .SetKnob("chunk", chunk)
              .SetKnob("group", share > 0 ? shared_group : groups.back())
              .SetKnob("share_input", share));
    }
  }
  return Cheapest(configs, [&](const Config& config) {
    return WinogradSeconds(op, target, config);
  });
}

double WinogradSeconds(const OpInstance& op, const target::Target& target,
                       const Config& config) {
  const Problem p = ProblemOf(op);
  const int64_t shares = Shares(target), chunk = config.Knob("chunk");
  const int64_t chunks = CeilDiv(p.tiles, chunk);
  const bool share = config.Knob("share_input") != 0;
  const double step =
      TiledStepCycles(target, chunk, config.Knob("tile_p"),
                      VectorsOf(target, p.weight_block), p.channels);
  const double products = step * static_cast<double>(p.taps * p.channels) *
                          static_cast<double>(p.filters / p.weight_block);
  // A load, a store and some arithmetic per element of each transform.
  const double transforms = 4.0 * static_cast<double>(chunk * p.taps) *
                            static_cast<double>(p.channels + p.filters) /
                            static_cast<double>(FloatLanes(target));
  // Transformed pixels, of all tiles or of a chunk, and products are written
  // once and read once.
  const int64_t pixels = p.taps * p.channels * 4 * (share ? p.tiles : chunk);
  const int64_t results =
      p.taps * chunk * 4 * (share ? config.Knob("group") * p.block : p.filters);
  // Weights that fit the L2 cache stay there from chunk to chunk, and leave
  // less room; larger ones stream through.
  const int64_t weights = p.taps * p.channels * p.filters * 4;
  const int64_t resident = weights <= target.l2_bytes() ? weights : 0;
  const double moved =
      2.0 * static_cast<double>(p.taps * chunk * (p.channels + p.filters) * 4) /
      Bandwidth(target, (pixels + results + resident) *
                            std::max(1, target.num_cores()));
  // Chunks run in rounds, and threads may be idle in the last one; if groups
  // run in parallel as well, all threads have work.
  const double rounds =
      share ? static_cast<double>(chunks)
            : static_cast<double>(CeilDiv(chunks, shares) * shares);
  // Each chunk reads all weights. The first one reads them from memory, because
  // the rest of the network has replaced them in the caches.
  const double compute = Seconds(target, products);
  const auto with_weights = [&](int64_t working_set) {
    return Overlapped(
        compute, static_cast<double>(weights) / Bandwidth(target, working_set));
  };
  return with_weights(std::numeric_limits<int64_t>::max()) +
         (rounds - 1) * with_weights(weights) +
         rounds * (Seconds(target, transforms) + moved);
}

void ScheduleWinograd(schedule::Schedule& s, const OpInstance&,
                      const te::Tensor&, const te::Tensor& output,
                      const target::Target& target, const Config& config) {
  using schedule::Axis;
  const te::Tensor pad = FindTagged(output, "pad");
  const te::Tensor rows = FindTagged(output, "winograd.rows");
  const te::Tensor v = FindTagged(output, "winograd.V");
  const te::Tensor products = FindTagged(output, "winograd.M");
  const te::Tensor columns = FindTagged(output, "winograd.columns");
  const te::Tensor pixels = FindTagged(output, "winograd.pixels");
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return absl::StartsWith(tensor->tag, "winograd.") || tensor->tag == "pad";
  });
  if (pad.defined()) ParallelizeRows(s, pad, target);
  const te::Tensor sums = s.CacheWrite(products, expr::Scope::kLocal);

  const int64_t m = pixels.shape()[0];
  schedule::Stage& out = s[output];
  const auto [th, i] = out.Split(out.axis(2), m);
  const auto [tw, j] = out.Split(out.axis(3), m);
  const auto [group, block] = out.Split(out.axis(1), config.Knob("group"));
  out.Reorder({out.axis(0), th, tw, group, block, i, j, out.axis(4)});
  const Axis p = out.Fuse({out.axis(0), th, tw});
  const auto [chunk, tile] = out.Split(p, config.Knob("chunk"));
  out.Reorder({chunk, group, tile, block});
  out.Unroll(i).Unroll(j).Vectorize(out.axis(4));

  Axis shared;
  if (config.Knob("share_input") != 0) {
    shared = out.Fuse(chunk, group);
    out.Parallel(shared);
  } else {
    out.Parallel(chunk);
  }

  for (const te::Tensor& tensor : {pixels, columns}) {
    schedule::Stage& stage = s[tensor];
    stage.SetScope(expr::Scope::kLocal).ComputeAt(out, block);
    stage.Unroll(stage.axis(0)).Unroll(stage.axis(1));
    stage.Vectorize(stage.axis(4));
  }

  schedule::Stage& copy = s[products];
  copy.ComputeAt(out, config.Knob("share_input") != 0 ? shared : group);
  const auto [pt, pi] = copy.Split(copy.axis(3), config.Knob("tile_p"),
                                   schedule::Tail::kShiftInwards);
  copy.Unroll(pi).Vectorize(copy.axis(4));
  schedule::Stage& sum = s[sums];
  sum.ComputeAt(copy, pt);
  ScheduleTile(sum, {sum.axis(3)}, sum.axis(4),
               config.Knob("tile_p") * VectorsOf(target, sums.shape()[4]),
               target);

  schedule::Stage& transform = s[v];
  if (config.Knob("share_input") != 0) {
    transform.Parallel(transform.axis(2));
  } else {
    transform.ComputeAt(out, chunk);
  }
  transform.Reorder({transform.axis(2), transform.axis(3), transform.axis(0),
                     transform.axis(1), transform.axis(4)});
  transform.Unroll(transform.axis(0)).Unroll(transform.axis(1));
  transform.Vectorize(transform.axis(4));
  schedule::Stage& first = s[rows];
  first.SetScope(expr::Scope::kLocal);
  first.ComputeAt(transform, transform.axis(3));
  first.Unroll(first.axis(0)).Unroll(first.axis(1)).Vectorize(first.axis(4));
}

}  // namespace assay::ops
