// LowerLoops: lowers the loop nest of a schedule to the form that code
// generators read: flat indices, vector statements, no unrolled or vectorized
// loops, no intrinsics without an instruction. The result satisfies
// VerifyLowered.
#ifndef ASSAY_COMPILER_TIR_PASSES_PIPELINE_H_
#define ASSAY_COMPILER_TIR_PASSES_PIPELINE_H_

#include <functional>

#include "absl/strings/string_view.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// Called after each pass with its name, whether it changed the function, and
// the resulting function.
using PassObserver = std::function<void(absl::string_view pass, bool changed,
                                        const Function& result)>;

// CHECK-fails if `function`, the output of lowering, is invalid.
Function LowerLoops(const Function& function,
                    const PassObserver& observer = nullptr);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_PIPELINE_H_
