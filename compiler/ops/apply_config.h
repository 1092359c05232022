// The entities of a Config applied to a stage: what templates call.
//
//   auto tile = ApplySplit(out, out.axis(3), config.Split("tile_ow"));
//   ApplyReorder(acc, {kh, kw, ic}, config.Order("order"));
//   ASSAY_RETURN_IF_ERROR(
//       ApplyAnnotate(acc, {kh, kw}, config.Annotations("reduce"), 64));
//
// Illegal use is recorded by the schedule, as for the primitives they consist
// of.
#ifndef ASSAY_COMPILER_OPS_APPLY_CONFIG_H_
#define ASSAY_COMPILER_OPS_APPLY_CONFIG_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "compiler/ops/config.h"
#include "compiler/schedule/stage.h"

namespace assay::ops {

// One axis per size, outermost first; the inner ones are sizes[1], sizes[2], …
// long, the outermost what is left. A size of 1 makes a loop of one iteration.
std::vector<schedule::Axis> ApplySplit(
    schedule::Stage& stage, const schedule::Axis& axis,
    const std::vector<int64_t>& sizes,
    schedule::Tail tail = schedule::Tail::kGuardWithIf);

// Reorders `axes` so that place p holds axes[order[p]], and returns them in
// their new order.
std::vector<schedule::Axis> ApplyReorder(
    schedule::Stage& stage, const std::vector<schedule::Axis>& axes,
    const std::vector<int64_t>& order);

// ResourceExhausted, naming stage and axis, instead of unrolling more than
// `max_unroll` iterations in all: a body copied that often compiles for ever.
absl::Status ApplyAnnotate(schedule::Stage& stage,
                           const std::vector<schedule::Axis>& axes,
                           const std::vector<Annotation>& annotations,
                           int64_t max_unroll);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_APPLY_CONFIG_H_
