// RegisterTile: a performance model and the schedule of the innermost loops of
// convolutions and matrix products.
//
// In each step of the reduction, each of `rows` values is broadcast and
// multiplied by each of `vectors` vectors. The products are added to
// rows * vectors accumulators. The time of a step is the maximum of three
// times:
//   - the time in which the multiply-adds can start;
//   - the time of the loads, one per row and one per vector;
//   - the latency of one multiply-add, for which the next step must wait
//     because it uses the same accumulators.
#ifndef ASSAY_COMPILER_OPS_REGISTER_TILE_H_
#define ASSAY_COMPILER_OPS_REGISTER_TILE_H_

#include <cstdint>
#include <vector>

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Returns the number of vectors that hold `channels` float32 values.
int64_t VectorsOf(const target::Target& target, int64_t channels);

// Returns the possible numbers of channel blocks in a tile. There are `blocks`
// channel blocks with `block` channels each. The result contains 1, and every
// divisor t of `blocks` for which t * block channels fit in four vectors. All
// these numbers divide `blocks`, so no tile is partial.
std::vector<int64_t> TileBlocks(const target::Target& target, int64_t blocks,
                                int64_t block);

// Returns the largest number of rows for which the accumulators, the vectors
// and the broadcast values fit in the registers. The result is in [1, 28].
int64_t MaxTileRows(const target::Target& target, int64_t vectors);

// Returns the modelled cycles of one step.
double TileStepCycles(const target::Target& target, int64_t rows,
                      int64_t vectors);

// Returns the modelled cycles of one step of the reduction, summed over all
// tiles, if `extent` rows are divided into tiles of `rows` rows. The last tile
// is computed in full even if it is partial. The reduction has `steps` steps,
// over which the overhead of a tile is distributed.
double TiledStepCycles(const target::Target& target, int64_t extent,
                       int64_t rows, int64_t vectors, int64_t steps);

// Schedules `tile`, the stage that accumulates a tile. The loops of its
// reduction become the outer loops. Inside them, the axes `rows` are unrolled
// and `lanes` is vectorized. If a tile has several vectors per row, the axis of
// these vectors must be the last element of `rows`. Then all uses of a
// broadcast value come before the next broadcast, and a single register
// suffices for broadcast values.
//
// `accumulators` is the number of vectors in which the tile is accumulated. The
// innermost loop of the reduction is partially unrolled if the target is x86-64
// and the accumulators need at most three quarters of the vector registers.
// Loop control and addressing then take a small share of the issue slots. In
// all other cases the loop is not unrolled, because LLVM would load values of
// later steps early and spill accumulators.
void ScheduleTile(schedule::Stage& tile,
                  const std::vector<schedule::Axis>& rows,
                  const schedule::Axis& lanes, int64_t accumulators,
                  const target::Target& target);

// Returns the number of rows, at most `extent`, that minimizes TiledStepCycles
// and fits in the registers (MaxTileRows).
int64_t BestTileRows(const target::Target& target, int64_t extent,
                     int64_t vectors, int64_t steps);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REGISTER_TILE_H_
