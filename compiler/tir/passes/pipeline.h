// LowerLoops: applies the loop passes, which convert a loop program to the form
// that code generators accept. Each target kind has its own list of passes. The
// result of each list satisfies VerifyLowered: accesses have a single index,
// and there are no unrolled loops, vectorized loops or elementary intrinsics.
#ifndef ASSAY_COMPILER_TIR_PASSES_PIPELINE_H_
#define ASSAY_COMPILER_TIR_PASSES_PIPELINE_H_

#include <functional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/target/target_kind.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

struct LoopPass {
  const char* name;
  Stmt (*run)(const Stmt& body);
};

// Returns the passes of a target kind, in order.
absl::Span<const LoopPass> LoopPasses(target::TargetKind kind);

// A callback that LowerLoops calls after each pass. `pass` is the name of the
// pass, `result` is the function that the pass returned, and `changed` is true
// if it differs from the function before the pass.
using PassObserver = std::function<void(absl::string_view pass, bool changed,
                                        const Function& result)>;

// Applies the passes of `kind` to `function`, usually a result of lower::Lower.
// CHECK-fails if `function` does not satisfy Verify, or if the result does not
// satisfy VerifyLowered (tir/verifier.h).
Function LowerLoops(const Function& function,
                    target::TargetKind kind = target::TargetKind::kLlvm,
                    const PassObserver& observer = nullptr);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_PIPELINE_H_
