// RegisterTile: the innermost work of convolutions and matrix products, as a
// model of the processor sees it.
//
// `rows` values are each broadcast and multiplied with `vectors` vectors into
// rows x vectors accumulators, once per step of the reduction. What limits a
// step: the multiply-adds, the loads (one per broadcast and one per vector), or
// the latency of a multiply-add, whose accumulator the next step needs.
#ifndef ASSAY_COMPILER_OPS_REGISTER_TILE_H_
#define ASSAY_COMPILER_OPS_REGISTER_TILE_H_

#include <cstdint>
#include <vector>

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Vectors that `channels` neighbouring channels fill.
int64_t VectorsOf(const target::Target& target, int64_t channels);

// How many of `blocks` blocks of `block` channels a tile may have: divisors, so
// that none is partial, of at most four vectors.
std::vector<int64_t> TileBlocks(const target::Target& target, int64_t blocks,
                                int64_t block);

// The most rows for which accumulators, vectors and the broadcast values that
// are loaded ahead fit in the registers; at least 1.
int64_t MaxTileRows(const target::Target& target, int64_t vectors);

// Cycles of one step.
double TileStepCycles(const target::Target& target, int64_t rows,
                      int64_t vectors);

// Cycles per step of `extent` rows done in tiles of `rows`, the last of them
// done whole, where the reduction has `steps`.
double TiledStepCycles(const target::Target& target, int64_t extent,
                       int64_t rows, int64_t vectors, int64_t steps);

// Schedules the stage that sums up a tile: inside the loops of its reduction,
// one step unrolled over `rows` and vectorized over `lanes`. `rows` ends with
// the vectors, if there are several: a broadcast value is used up before the
// next one is loaded, and only the vectors stay in registers beside the sums.
//
// The innermost loop of the reduction runs a few steps a turn, so that counting
// and addressing take little of what the processor can start in a cycle, half
// of which another program has while both share a core. Not where
// `accumulators`, the vectors of sums, leave few registers, and not on ARM:
// LLVM loads a later step's values early and would spill sums.
void ScheduleTile(schedule::Stage& tile,
                  const std::vector<schedule::Axis>& rows,
                  const schedule::Axis& lanes, int64_t accumulators,
                  const target::Target& target);

// The rows, at most `extent`, for which TiledStepCycles is least.
int64_t BestTileRows(const target::Target& target, int64_t extent,
                     int64_t vectors, int64_t steps);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REGISTER_TILE_H_
