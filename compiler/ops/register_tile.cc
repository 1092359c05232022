#include "compiler/ops/register_tile.h"

#include <algorithm>

#include "compiler/ops/integers.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

constexpr int64_t kStepsPerTurn = 8;

// Wider tiles make the code longer but not faster.
constexpr int64_t kMaxRows = 28;
// FMA latency in cycles: 4, plus a penalty that was measured when the number of
// independent chains equals the latency.
constexpr double kLatency = 4.3;
// Two loads per cycle are rarely reached if every one is waited for.
constexpr double kLoadCost = 1.2;
// Cycles to set up the addresses of a tile, store it and leave the loop, most
// of which a long reduction hides; and the part of a step that always remains.
constexpr double kTileOverhead = 20;
constexpr double kLeastOverhead = 0.3;

// Registers for broadcast values. x86 broadcasts in the multiplication or into
// one register that out-of-order execution renames. For ARM's in-order cores
// LLVM loads several values ahead of their use; a tile that leaves no registers
// for them spills accumulators (inner_loop_test.cc checks this).
int64_t BroadcastRegisters(const target::Target& target) {
  return target.arch() == target::Arch::kX86_64 ? 1 : 3;
}

// Vector FMAs and loads that can start per cycle.
double Units(const target::Target& target) {
  return target.vector_bits() >= 256 ? 2 : 1;
}

}  // namespace

int64_t VectorsOf(const target::Target& target, int64_t channels) {
  return CeilDiv(channels, FloatLanes(target));
}

std::vector<int64_t> TileBlocks(const target::Target& target, int64_t blocks,
                                int64_t block) {
  std::vector<int64_t> result = {1};
  for (int64_t t = 2; t * block <= 4 * FloatLanes(target); ++t) {
    if (blocks % t == 0) result.push_back(t);
  }
  return result;
}

int64_t MaxTileRows(const target::Target& target, int64_t vectors) {
  const int64_t sums =
      target.vector_registers() - BroadcastRegisters(target) - vectors;
  return std::clamp<int64_t>(sums / vectors, 1, kMaxRows);
}

double TileStepCycles(const target::Target& target, int64_t rows,
                      int64_t vectors) {
  const auto r = static_cast<double>(rows), v = static_cast<double>(vectors);
  const double units = Units(target);
  return std::max({r * v / units, kLoadCost * (r + v) / units, kLatency});
}

double TiledStepCycles(const target::Target& target, int64_t extent,
                       int64_t rows, int64_t vectors, int64_t steps) {
  const auto tiles = static_cast<double>(CeilDiv(extent, rows));
  const double overhead =
      std::max(kTileOverhead / static_cast<double>(steps), kLeastOverhead);
  return tiles * (TileStepCycles(target, rows, vectors) + overhead);
}

int64_t BestTileRows(const target::Target& target, int64_t extent,
                     int64_t vectors, int64_t steps) {
  int64_t best = 1;
  const int64_t most = std::min(extent, MaxTileRows(target, vectors));
  for (int64_t rows = 2; rows <= most; ++rows) {
    if (TiledStepCycles(target, extent, rows, vectors, steps) <=
        TiledStepCycles(target, extent, best, vectors, steps)) {
      best = rows;
    }
  }
  return best;
}

void ScheduleTile(schedule::Stage& tile,
                  const std::vector<schedule::Axis>& rows,
                  const schedule::Axis& lanes, int64_t accumulators,
                  const target::Target& target) {
  const std::vector<schedule::Axis> reduction = tile.state().reduce_axes;
  std::vector<schedule::Axis> order = reduction;
  order.insert(order.end(), rows.begin(), rows.end());
  order.push_back(lanes);
  tile.Reorder(order);
  for (const schedule::Axis& row : rows) tile.Unroll(row);
  tile.Vectorize(lanes);

  const schedule::Axis& steps = reduction.back();
  if (target.arch() != target::Arch::kX86_64 || steps.extent == 1) return;
  if (accumulators * 4 > target.vector_registers() * 3) return;
  tile.Pragma(steps, "unroll_factor", kStepsPerTurn);
}

}  // namespace assay::ops
