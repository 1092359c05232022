// Applies the entries of a Config to a stage. Schedule templates call these
// functions.
//
//   auto tile = ApplySplit(out, out.axis(3), config.Split("tile_ow"));
//   ApplyReorder(acc, {kh, kw, ic}, config.Order("order"));
//   ASSAY_RETURN_IF_ERROR(
//       ApplyAnnotate(acc, {kh, kw}, config.Annotations("reduce"), 64));
//
// An illegal split, reorder or annotation is recorded in the status of the
// schedule, like an error of a schedule primitive.
#ifndef ASSAY_COMPILER_OPS_APPLY_CONFIG_H_
#define ASSAY_COMPILER_OPS_APPLY_CONFIG_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "compiler/ops/config.h"
#include "compiler/schedule/stage.h"

namespace assay::ops {

// Splits `axis` into one axis per element of `sizes` and returns these axes,
// outermost first. sizes[0] is not used: the outermost axis has as many
// iterations as are needed. Axis i > 0 has extent sizes[i]; a size of 1 gives a
// loop of one iteration. `tail` says what happens if the product of sizes[1],
// sizes[2], … does not divide the extent of `axis`.
std::vector<schedule::Axis> ApplySplit(
    schedule::Stage& stage, const schedule::Axis& axis,
    const std::vector<int64_t>& sizes,
    schedule::Tail tail = schedule::Tail::kGuardWithIf);

// Reorders `axes` such that position p holds axes[order[p]]. Returns the axes
// in the new order.
std::vector<schedule::Axis> ApplyReorder(
    schedule::Stage& stage, const std::vector<schedule::Axis>& axes,
    const std::vector<int64_t>& order);

// Unrolls or vectorizes axes[i] if annotations[i] says so. Returns
// ResourceExhausted, with the names of the stage and of an axis, if the product
// of the extents of the unrolled axes is greater than `max_unroll`, because
// compiling so much code would take too long.
absl::Status ApplyAnnotate(schedule::Stage& stage,
                           const std::vector<schedule::Axis>& axes,
                           const std::vector<Annotation>& annotations,
                           int64_t max_unroll);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_APPLY_CONFIG_H_
