// Makes the loops of a schedule whose bounds are known.
//
// Root stages stand one after the other, producers first, each in the loops of
// its leaves; a stage computed at an axis stands inside that loop before the
// rest of its body. A reduction starts from the combiner's identity. Its
// leaves end in reduce loops that stand together, and in data loops inside of
// those, its tile (either may be empty). The tile is set right before:
//
//   outer loops:
//     if this is the first iteration of all outer reduce loops:
//       data loops of the tile:  buffer = identity
//     remaining loops:  buffer = combine(buffer, source)
//
// That walks the tile once more, which costs nothing while it is in registers.
// So where another stage is computed inside of the tile's loops, or where the
// tile is in global memory, not wholly unrolled and vectorized, and no reduce
// loop stands further out (it may be the whole tensor then), the first
// iteration starts from the identity in place:
//
//   outer and reduce loops, and those of the tile that compute other stages:
//     if this is the first iteration of all reduce loops:
//       rest of the tile:  buffer = combine(identity, source)
//     else:
//       rest of the tile:  buffer = combine(buffer, source)
//
// An intrinsic takes the place of the loops it was put at, of the update where
// reduce loops are left outside; the loops it leaves out still set the identity
// if it does not.
//
// A scan's time is its outermost loop: at the first times there are only the
// loops that store what they are, at all others also the stages computed there.
//
//   for t:
//     if t < times of init:  loops:  buffer = init
//     else:                  stages computed at t; loops:  buffer = update
//
// Guards are placed right inside the innermost loop that they depend on. What
// is neither input nor output is allocated: at the root before the loops that
// write it, otherwise in the loop that the stage is computed at, with the size
// of its region, or around that loop where the buffer outlives an iteration
// (storage.h). A double buffer is filled for the first iteration before the
// loop, and for each next one before the rest of the body.
#ifndef ASSAY_COMPILER_LOWER_LOOP_NEST_H_
#define ASSAY_COMPILER_LOWER_LOOP_NEST_H_

#include "absl/status/statusor.h"
#include "compiler/lower/accesses.h"
#include "compiler/lower/bound_inference.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// Loads and stores have one index per dimension; nothing is simplified.
// Fails where an intrinsic does not fit the loops or buffers, naming stage and
// axis.
absl::StatusOr<tir::Stmt> MakeLoopNest(const schedule::Schedule& schedule,
                                       const ScheduleBounds& bounds,
                                       const BufferMap& parameters);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_LOOP_NEST_H_
