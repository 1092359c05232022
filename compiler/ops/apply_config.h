// Applies the entities of a Config to a stage. Called by schedule templates.
//
//   auto tile = ApplySplit(out, out.axis(3), config.Split("tile_ow"));
//   ApplyReorder(acc, {kh, kw, ic}, config.Order("order"));
//   ASSAY_RETURN_IF_ERROR(
//       ApplyAnnotate(acc, {kh, kw}, config.Annotations("reduce"), 64));
//
// Illegal use is recorded by the schedule, as for the primitives.
#ifndef ASSAY_COMPILER_OPS_APPLY_CONFIG_H_
#define ASSAY_COMPILER_OPS_APPLY_CONFIG_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "compiler/ops/config.h"
#include "compiler/schedule/stage.h"

namespace assay::ops {

// Splits `axis` into one axis per size and returns them, outermost first. The
// inner ones have extents sizes[1], sizes[2], …; the outermost gets the rest. A
// size of 1 makes a loop of one iteration.
std::vector<schedule::Axis> ApplySplit(
    schedule::Stage& stage, const schedule::Axis& axis,
    const std::vector<int64_t>& sizes,
    schedule::Tail tail = schedule::Tail::kGuardWithIf);

// Reorders `axes` such that position p holds axes[order[p]]; returns them in
// the new order.
std::vector<schedule::Axis> ApplyReorder(
    schedule::Stage& stage, const std::vector<schedule::Axis>& axes,
    const std::vector<int64_t>& order);

// ResourceExhausted, naming stage and axis, if more than `max_unroll`
// iterations in total would be unrolled: such code takes too long to compile.
absl::Status ApplyAnnotate(schedule::Stage& stage,
                           const std::vector<schedule::Axis>& axes,
                           const std::vector<Annotation>& annotations,
                           int64_t max_unroll);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_APPLY_CONFIG_H_
