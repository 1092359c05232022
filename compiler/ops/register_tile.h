// RegisterTile: a processor model of the innermost loops of convolutions and
// matrix products.
//
// In each step of the reduction, `rows` values are broadcast and multiplied by
// `vectors` vectors into rows x vectors accumulators. A step is limited by the
// multiply-adds, by the loads (one per broadcast and one per vector), or by the
// latency of a multiply-add, whose accumulator the next step needs.
#ifndef ASSAY_COMPILER_OPS_REGISTER_TILE_H_
#define ASSAY_COMPILER_OPS_REGISTER_TILE_H_

#include <cstdint>
#include <vector>

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace assay::ops {

// The number of vectors that hold `channels` neighbouring channels.
int64_t VectorsOf(const target::Target& target, int64_t channels);

// The possible numbers of blocks of `block` channels in a tile: divisors of
// `blocks`, so that no tile is partial, with at most four vectors.
std::vector<int64_t> TileBlocks(const target::Target& target, int64_t blocks,
                                int64_t block);

// The maximal number of rows, at least 1, for which accumulators, vectors and
// the broadcast values that are loaded ahead fit in the registers.
int64_t MaxTileRows(const target::Target& target, int64_t vectors);

// Cycles of one step.
double TileStepCycles(const target::Target& target, int64_t rows,
                      int64_t vectors);

// Cycles per step of `extent` rows in tiles of `rows`, the last of which is
// computed in full, for a reduction of `steps` steps.
double TiledStepCycles(const target::Target& target, int64_t extent,
                       int64_t rows, int64_t vectors, int64_t steps);

// Schedules the stage that accumulates a tile: inside the loops of its
// reduction, one step is unrolled over `rows` and vectorized over `lanes`. If
// there are several vectors, they are the last of `rows`: all uses of a
// broadcast value come before the next load, and only vectors and accumulators
// occupy registers.
//
// The innermost loop of the reduction is unrolled by a few steps, so that loop
// control and addressing take a small share of the issue slots, half of which a
// program on the same core's other thread may use. It is not unrolled if
// `accumulators` vectors of sums leave few registers, nor on ARM: LLVM loads
// values of later steps early and would spill accumulators.
void ScheduleTile(schedule::Stage& tile,
                  const std::vector<schedule::Axis>& rows,
                  const schedule::Axis& lanes, int64_t accumulators,
                  const target::Target& target);

// The number of rows, at most `extent`, that minimizes TiledStepCycles.
int64_t BestTileRows(const target::Target& target, int64_t extent,
                     int64_t vectors, int64_t steps);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REGISTER_TILE_H_
