// ApplySplit: applies a split of a Config to a stage, for schedule templates.
//
//   auto tile = ApplySplit(out, out.axis(3), config.Split("tile_ow"));
//
// An illegal split is recorded in the status of the schedule, like an error of
// a schedule primitive.
#ifndef ASSAY_COMPILER_OPS_APPLY_CONFIG_H_
#define ASSAY_COMPILER_OPS_APPLY_CONFIG_H_

#include <cstdint>
#include <vector>

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

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_APPLY_CONFIG_H_
