// Bound inference: determines, for each stage, which region of the stage's
// tensor must be computed. The extents and the index expressions of the loops
// follow from this region.
//
// A stage at root computes its whole tensor. A stage that is computed at axis
// `a` of a host stage computes the region that one iteration of `a` reads. The
// region is determined as follows:
//
//   - The variables of the loops up to and including `a` are fixed, and those
//     of the inner loops take all their values. Each read then covers an
//     interval in each dimension, and the region covers the intervals of all
//     reads.
//   - The extents of a region are constants. If the exact extent varies, an
//     upper bound is used.
//   - A region that would exceed the tensor (at the edge of a padded read, or
//     in the last tile of a split that does not divide the extent) is shifted
//     inwards.
//   - If nothing is known about an index, the region covers the whole
//     dimension. So it does if an intrinsic replaces the loop over the
//     dimension, which must have the extent that the intrinsic declares.
//
// A stage therefore never computes elements outside its tensor, and every
// element of the tensor that is read in one iteration of `a` is in the region.
#ifndef ASSAY_COMPILER_LOWER_BOUND_INFERENCE_H_
#define ASSAY_COMPILER_LOWER_BOUND_INFERENCE_H_

#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"
#include "compiler/schedule/axis_values.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::lower {

// The range [min, min + extent) in each dimension of a tensor. `min` is an
// expression of the variables of the loops around the stage.
struct Region {
  std::vector<expr::Expr> min;
  std::vector<int64_t> extent;
};

// The bounds of a stage. An extern stage always computes its whole tensors, and
// all fields are empty for it.
struct StageBounds {
  Region region;
  // The number of iterations of the loop of each leaf axis (schedule/stage.h).
  std::vector<int64_t> leaf_extents;
  // Both vectors contain expressions of the loop variables of the leaves.
  // data_offsets[d] is the index in dimension d, relative to region.min[d].
  // reduce_values[i] is the value of the i-th reduce axis.
  std::vector<expr::Expr> data_offsets, reduce_values;
  // An iteration is executed only if all these conditions hold.
  std::vector<schedule::Guard> guards;
};

// The region of a tensor that one iteration of a leaf of `host` reads.
struct PrefetchBounds {
  const schedule::Stage* host = nullptr;
  int leaf = 0;  // index in StageState::leaves of the host
  schedule::LoopPrefetch prefetch;
  Region region;
};

struct ScheduleBounds {
  // The bounds of all stages that are not inlined.
  std::map<const schedule::Stage*, StageBounds> stages;
  std::vector<PrefetchBounds> prefetches;
  // The bounds of all loop variables.
  tir::VarBounds loop_vars;
};

// `schedule` must be valid (Schedule::Validate). Returns InvalidArgument, with
// the name of the stage, if a tensor or a loop is too large for int32 indices.
absl::StatusOr<ScheduleBounds> InferBounds(const schedule::Schedule& schedule);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_BOUND_INFERENCE_H_
