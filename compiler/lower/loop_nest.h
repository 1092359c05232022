// Generates the loops of a schedule with known bounds.
//
// Root stages are computed in sequence, producers first, each in the loops of
// its leaves; a stage computed at an axis is computed inside of that loop
// before the rest of the loop body. A reduction starts from the identity of its
// reducer. Its innermost leaves are contiguous reduce loops followed by the
// data loops of a tile (either may be empty). By default the tile is
// initialized directly before them:
//
//   outer loops:
//     if this is the first iteration of all outer reduce loops:
//       data loops of the tile:  buffer = identity
//     remaining loops:  buffer = combine(buffer, source)
//
// This traverses the tile once more, which is free if it is in registers.
// Therefore, the first iteration is initialized in place instead if another
// stage is computed inside of the tile's loops, or if the tile is in global
// memory, not fully unrolled and vectorized, and not inside of outer reduce
// loops (it may be the whole tensor then):
//
//   outer and reduce loops, and those of the tile that compute other stages:
//     if this is the first iteration of all reduce loops:
//       rest of the tile:  buffer = combine(identity, source)
//     else:
//       rest of the tile:  buffer = combine(buffer, source)
//
// An intrinsic replaces the loops from its axis inwards, or their update if
// there are outer reduce loops; the replaced loops still initialize the tile to
// the identity if the intrinsic has no init.
//
// The outermost loop of a scan is its time loop: the first time steps only
// store the initial values, and all others also compute the stages attached
// there.
//
//   for t:
//     if t < init steps:  loops:  buffer = init
//     else:           stages computed at t; loops:  buffer = update
//
// Guards are placed directly inside of the innermost loop that they depend on.
// Tensors that are neither inputs nor outputs are allocated: at root before the
// loops that write them, otherwise in the loop that the stage is computed at
// with the size of its region, or around that loop if the buffer outlives an
// iteration (storage.h). A double buffer is filled for the first iteration
// before the loop, and for each next iteration before the rest of the loop
// body.
#ifndef ASSAY_COMPILER_LOWER_LOOP_NEST_H_
#define ASSAY_COMPILER_LOWER_LOOP_NEST_H_

#include "absl/status/statusor.h"
#include "compiler/lower/accesses.h"
#include "compiler/lower/bound_inference.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// Loads and stores have one index per dimension; nothing is simplified. Returns
// an error that names stage and axis if an intrinsic does not fit the loops or
// buffers.
absl::StatusOr<tir::Stmt> MakeLoopNest(const schedule::Schedule& schedule,
                                       const ScheduleBounds& bounds,
                                       const BufferMap& parameters);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_LOOP_NEST_H_
