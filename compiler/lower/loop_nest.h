// Generates the loops of a schedule from the bounds that bound inference has
// found (bound_inference.h).
//
// Each stage is computed in one loop per leaf (schedule/stage.h). A stage at
// root is not inside the loops of another stage; stages at root are computed in
// sequence, producers first. A stage that is computed at an axis of another
// stage is computed inside the loop of that axis, before the rest of the loop
// body.
//
// A reduction starts from the identity of its reducer. Its innermost loops are
// adjacent reduce loops and, inside them, the data loops of a tile. Each of
// these two groups of loops may be empty. By default the tile is initialized
// directly before these loops:
//
//   outer loops:
//     if this is the first iteration of all outer reduce loops:
//       data loops of the tile:  buffer = identity
//     remaining loops:  buffer = combine(buffer, source)
//
// The initialization traverses the tile once more. This costs nothing if the
// tile is in registers. In two cases there is no separate initialization;
// instead, the first iteration stores combine(identity, source):
//   - Another stage is computed inside the loops of the tile.
//   - The tile is in global memory, at least one of its loops is neither
//     unrolled nor vectorized, and the tile is not inside outer reduce loops.
//     Such a tile may be the whole tensor.
//
// In these cases the loops are
//
//   outer loops, reduce loops, and loops of the tile that contain other stages:
//     if this is the first iteration of all reduce loops:
//       rest of the tile:  buffer = combine(identity, source)
//     else:
//       rest of the tile:  buffer = combine(buffer, source)
//
// An intrinsic (te/tensor_intrin.h) replaces the loop of the axis to which it
// is applied and all loops inside that loop. These loops and the unrolled data
// loops directly around them are the tile. In a reduction, TensorIntrin::body
// replaces the initialization and the update together. There is an exception:
// if the intrinsic is inside outer reduce loops or has no body, its `init`
// replaces the initialization, and its `update` replaces the update. In this
// case, if the intrinsic has no `init`, ordinary loops initialize the tile.
//
// A guard (schedule/axis_values.h) is placed directly inside the innermost loop
// on which its condition depends.
//
// Tensors that are neither inputs nor outputs are allocated
//   - before the loops that write them, if their stage is at root;
//   - around the loop at which their stage is computed, if the buffer must
//     outlive an iteration of that loop (storage.h);
//   - otherwise inside that loop, with the size of the region of the stage.
// A double buffer is filled one iteration ahead: before the loop for the first
// iteration, and at the start of each loop body for the next iteration.
#ifndef ASSAY_COMPILER_LOWER_LOOP_NEST_H_
#define ASSAY_COMPILER_LOWER_LOOP_NEST_H_

#include "absl/status/statusor.h"
#include "compiler/lower/accesses.h"
#include "compiler/lower/bound_inference.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// Returns the loops. Loads and stores have one index per dimension, and nothing
// is simplified. Returns InvalidArgument, with the names of the stage and the
// axis, if an intrinsic does not fit the loops or buffers.
absl::StatusOr<tir::Stmt> MakeLoopNest(const schedule::Schedule& schedule,
                                       const ScheduleBounds& bounds,
                                       const BufferMap& parameters);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_LOOP_NEST_H_
