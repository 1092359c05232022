#include "compiler/tir/passes/pipeline.h"

#include "compiler/tir/passes/common_subexpressions.h"
#include "compiler/tir/passes/flatten.h"
#include "compiler/tir/passes/hoist_conditions.h"
#include "compiler/tir/passes/loop_partition.h"
#include "compiler/tir/passes/lower_intrinsics.h"
#include "compiler/tir/passes/storage_rewrite.h"
#include "compiler/tir/passes/unroll.h"
#include "compiler/tir/passes/vectorize.h"
#include "compiler/tir/simplify/simplify.h"
#include "compiler/tir/verifier.h"
#include "runtime/base/check.h"

namespace assay::tir {

Function LowerLoops(const Function& function, const PassObserver& observer) {
  const absl::Status before = Verify(function);
  CHECK(before.ok()) << before;
  Function f = function;
  const auto run = [&](absl::string_view name, auto pass) {
    Stmt body = pass(f.body);
    const bool changed = !body.same_as(f.body);
    f.body = body;
    if (observer) observer(name, changed, f);
  };
  const auto simplify = [](const Stmt& s) { return Simplify(s); };
  // Before flatten, while the extents of the dimensions are known.
  run("simplify", simplify);
  // Conditions that are loop-invariant first, then those that cuts decide. Both
  // before vectorize, which executes a lane-dependent condition lane by lane,
  // and before unroll, which would copy the conditions.
  run("hoist_conditions", HoistConditions);
  run("loop_partition", PartitionLoops);
  run("flatten", Flatten);
  // After flatten, because a vector access needs a single index. Before unroll,
  // which then copies one vector statement instead of one statement per lane.
  run("vectorize", Vectorize);
  run("unroll", Unroll);
  // Combines indices into ramps and folds what unrolling made constant.
  run("simplify", simplify);
  // After unroll, whose copies have their own allocations, and before
  // lower_intrinsics, whose small temporaries need not be shared.
  run("storage_rewrite", RewriteStorage);
  // Late: its temporaries would prevent vectorization, and the simplifier does
  // not simplify floating-point arithmetic.
  run("lower_intrinsics", LowerIntrinsics);
  // Last: no other pass sees through let variables.
  run("common_subexpressions", BindCommonSubexpressions);
  const absl::Status after = VerifyLowered(f);
  CHECK(after.ok()) << after;
  return f;
}

}  // namespace assay::tir
