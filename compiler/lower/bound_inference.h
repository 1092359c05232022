// Bound inference: which part of its tensor each stage has to compute, and the
// loops and index expressions that follow from that.
//
// A stage at the root computes its whole tensor. A stage computed at axis `a`
// of a host computes what one iteration of `a` reads of it: with the loops
// outside of and at `a` held still and those inside running, the indices of
// every read give an interval per dimension; the region is their union. Its
// extents are constants, upper bounds where the exact extent varies. A region
// that would stick out of the tensor (at the edge of a padded read, or in the
// last tile of a split that does not divide) is shifted back inside; so a
// stage never computes an element its tensor does not have, and reads of
// in-range elements always find theirs. Where nothing is known of an index,
// the region is the whole dimension. A scan computes its whole tensor.
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

// [min, min + extent) in each dimension of a tensor. `min` is in terms of the
// loops around the stage.
struct Region {
  std::vector<expr::Expr> min;
  std::vector<int64_t> extent;
};

// Nothing for an extern, which computes its whole tensors.
struct StageBounds {
  Region region;
  std::vector<int64_t> leaf_extents;  // one per leaf, as the loops run
  // In terms of the leaves' variables: the index of each dimension relative to
  // the region, and the value of each reduce axis.
  std::vector<expr::Expr> data_offsets, reduce_values;
  std::vector<schedule::Guard> guards;
};

// What one iteration of a leaf of `host` reads of a tensor.
struct PrefetchBounds {
  const schedule::Stage* host = nullptr;
  int leaf = 0;
  schedule::LoopPrefetch prefetch;
  Region region;
};

struct ScheduleBounds {
  // Without inlined stages.
  std::map<const schedule::Stage*, StageBounds> stages;
  std::vector<PrefetchBounds> prefetches;
  // Of every loop variable.
  tir::VarBounds loop_vars;
};

// `schedule` is valid (Schedule::Validate). Fails where a tensor or loop is too
// large for int32 indices, naming the stage.
absl::StatusOr<ScheduleBounds> InferBounds(const schedule::Schedule& schedule);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_BOUND_INFERENCE_H_
