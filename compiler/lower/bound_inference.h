// Bound inference: computes the region of its tensor that each stage must
// compute, and the loop extents and index expressions that follow.
//
// A stage at root computes its whole tensor. A stage computed at axis `a` of a
// host computes the region that one iteration of `a` reads: with the loops up
// to and including `a` fixed and the inner ones ranging over their extents, the
// indices of every read give an interval per dimension; the region is their
// union. Its extents are constants, upper bounds if the exact extent varies. A
// region that would exceed the tensor (at the edge of a padded read, or in the
// last tile of a split that does not divide) is shifted inwards. Hence a stage
// never computes elements outside of its tensor, and in-range reads always find
// their elements. If nothing is known about an index, the region is the whole
// dimension. A scan computes its whole tensor.
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

// [min, min + extent) in each dimension of a tensor. `min` is an expression of
// the variables of the loops around the stage.
struct Region {
  std::vector<expr::Expr> min;
  std::vector<int64_t> extent;
};

// Empty for an extern, which computes its whole tensors.
struct StageBounds {
  Region region;
  std::vector<int64_t> leaf_extents;  // one per leaf, for this region
  // In terms of the leaves' variables: the index in each dimension relative to
  // the region, and the value of each reduce axis.
  std::vector<expr::Expr> data_offsets, reduce_values;
  std::vector<schedule::Guard> guards;
};

// The region of a tensor that one iteration of a leaf of `host` reads.
struct PrefetchBounds {
  const schedule::Stage* host = nullptr;
  int leaf = 0;
  schedule::LoopPrefetch prefetch;
  Region region;
};

struct ScheduleBounds {
  // Contains no inlined stages.
  std::map<const schedule::Stage*, StageBounds> stages;
  std::vector<PrefetchBounds> prefetches;
  // Bounds of all loop variables.
  tir::VarBounds loop_vars;
};

// `schedule` must be valid (Schedule::Validate). Returns an error that names
// the stage if a tensor or loop is too large for int32 indices.
absl::StatusOr<ScheduleBounds> InferBounds(const schedule::Schedule& schedule);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_BOUND_INFERENCE_H_
