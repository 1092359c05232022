#include "compiler/tir/passes/pipeline.h"

#include <utility>

#include "compiler/tir/passes/common_subexpressions.h"
#include "compiler/tir/passes/flatten.h"
#include "compiler/tir/passes/hoist_conditions.h"
#include "compiler/tir/passes/loop_partition.h"
#include "compiler/tir/passes/lower_intrinsics.h"
#include "compiler/tir/passes/serialize.h"
#include "compiler/tir/passes/storage_rewrite.h"
#include "compiler/tir/passes/unroll.h"
#include "compiler/tir/passes/vectorize.h"
#include "compiler/tir/simplify/simplify.h"
#include "compiler/tir/verifier.h"
#include "runtime/base/check.h"
#include "runtime/base/check_context.h"

namespace assay::tir {
namespace {

Stmt SimplifyBody(const Stmt& body) { return Simplify(body); }

// Machine code of processors with caches and vector registers.
constexpr LoopPass kLlvm[] = {
    // Before flatten, while the extents of single dimensions are still visible.
    {"simplify", SimplifyBody},
    // First the conditions that no cut can decide, then the cuts. Both run
    // before vectorize, which splits a loop with a condition into single lanes,
    // and before unroll, which would copy the conditions.
    {"hoist_conditions", HoistConditions},
    {"loop_partition", PartitionLoops},
    {"flatten", Flatten},
    // After flatten: a vector is a sequence of flat addresses. Before unroll,
    // so that one vector statement is copied and not one statement per lane.
    {"vectorize", Vectorize},
    {"unroll", Unroll},
    // Collects indices into ramps and folds what unrolling made constant.
    {"simplify", SimplifyBody},
    // After unroll, whose copies have allocations of their own, and before the
    // small temporaries of lower_intrinsics, which cannot share memory.
    {"storage_rewrite", RewriteStorage},
    // Late: its temporaries would hinder vectorize, and the simplifier has no
    // rules for floating-point arithmetic.
    {"lower_intrinsics", LowerIntrinsics},
    // Last: it hides expressions from the other passes behind names.
    {"common_subexpressions", BindCommonSubexpressions},
};

// One scalar instruction after the other.
constexpr LoopPass kBytecode[] = {
    {"simplify", SimplifyBody},
    {"flatten", Flatten},
    // Before storage_rewrite, for which the iterations of a parallel loop live
    // at the same time.
    {"serialize", Serialize},
    {"simplify", SimplifyBody},
    {"storage_rewrite", RewriteStorage},
    {"lower_intrinsics", LowerIntrinsics},
    {"common_subexpressions", BindCommonSubexpressions},
};

}  // namespace

absl::Span<const LoopPass> LoopPasses(target::TargetKind kind) {
  switch (kind) {
    case target::TargetKind::kLlvm:
      return kLlvm;
    case target::TargetKind::kBytecode:
      return kBytecode;
  }
  return {};
}

Function LowerLoops(const Function& function, target::TargetKind kind,
                    const PassObserver& observer) {
  const absl::Status before = Verify(function);
  CHECK(before.ok()) << before;
  Function f = function;
  for (const LoopPass& pass : LoopPasses(kind)) {
    const ScopedCheckContext context("in loop pass", pass.name);
    Stmt body = pass.run(f.body);
    const bool changed = !body.same_as(f.body);
    f.body = std::move(body);
    if (observer) observer(pass.name, changed, f);
  }
  const absl::Status after = VerifyLowered(f);
  CHECK(after.ok()) << after;
  return f;
}

}  // namespace assay::tir
