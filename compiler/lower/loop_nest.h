// Makes the loops of a schedule whose bounds are known.
//
// Root stages stand one after the other, producers first, each in the loops of
// its leaves; a stage computed at an axis stands inside that loop before the
// rest of its body. A reduction becomes
//
//   data loops outside of the outermost reduce loop:
//     remaining data loops:  buffer = identity
//     remaining loops:       buffer = combine(buffer, source)
//
// Guards are placed right inside the innermost loop that they depend on. What
// is neither input nor output is allocated: at the root before the loops that
// write it, otherwise in the loop that the stage is computed at, with the size
// of its region.
#ifndef ASSAY_COMPILER_LOWER_LOOP_NEST_H_
#define ASSAY_COMPILER_LOWER_LOOP_NEST_H_

#include <map>

#include "compiler/lower/bound_inference.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// The buffers of placeholders and outputs, by tensor.
using BufferMap = std::map<const expr::Counted*, expr::Buffer>;

// Loads and stores have one index per dimension; nothing is simplified.
tir::Stmt MakeLoopNest(const schedule::Schedule& schedule,
                       const ScheduleBounds& bounds,
                       const BufferMap& parameters);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_LOOP_NEST_H_
