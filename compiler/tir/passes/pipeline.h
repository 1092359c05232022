// LowerLoops: lowers the loop nest of a schedule to the form that code
// generators read. Each target kind has its own list of passes. The result of
// each satisfies VerifyLowered: flat indices, no unrolled or vectorized loops,
// no intrinsics without an instruction.
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

// The passes of a target kind, in order.
absl::Span<const LoopPass> LoopPasses(target::TargetKind kind);

// Called after each pass with its name, whether it changed the function, and
// the resulting function.
using PassObserver = std::function<void(absl::string_view pass, bool changed,
                                        const Function& result)>;

// CHECK-fails if `function`, the output of lowering, is invalid.
Function LowerLoops(const Function& function,
                    target::TargetKind kind = target::TargetKind::kLlvm,
                    const PassObserver& observer = nullptr);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_PIPELINE_H_
