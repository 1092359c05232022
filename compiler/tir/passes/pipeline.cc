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
  // Before flatten, while the extents of single dimensions are still visible.
  run("simplify", simplify);
  // First what no cut can decide, then the cuts; both before vectorize, for
  // which a condition in the loop means one lane at a time, and before unroll,
  // which would copy what is asked.
  run("hoist_conditions", HoistConditions);
  run("loop_partition", PartitionLoops);
  run("flatten", Flatten);
  // After flatten: a vector is one run of flat addresses. Before unroll, so
  // that one vector statement is copied, not one per lane.
  run("vectorize", Vectorize);
  run("unroll", Unroll);
  // Gathers the indices into ramps and folds what unrolling made constant.
  run("simplify", simplify);
  // After unroll, whose copies each have their own allocations, and before
  // small temporaries are added, which have nothing to share.
  run("storage_rewrite", RewriteStorage);
  // Late: its temporaries would be in the way of vectorize, and the
  // simplifier has nothing to say about floating-point arithmetic.
  run("lower_intrinsics", LowerIntrinsics);
  // Last: everything else wants to see through the names it gives.
  run("common_subexpressions", BindCommonSubexpressions);
  const absl::Status after = VerifyLowered(f);
  CHECK(after.ok()) << after;
  return f;
}

}  // namespace assay::tir
