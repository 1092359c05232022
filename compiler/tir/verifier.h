// Verify: checks the rules of tir/stmt.h that Make does not already enforce. A
// violation is a compiler bug; the error is Internal and of the form `function
// `conv`: variable `i` is used outside its loop or let`.
//
// Checked: function names are identifiers; every variable and buffer is used
// only inside the loop, allocation or function that declares it, and no
// declaration is nested in one of the same variable or buffer; accesses have
// one int32 index per dimension, or a single one; inputs are not stored to;
// parallel loops do not nest, and local buffers are not used across one;
// vectorized and unrolled extents are constants; no te-only nodes remain.
//
// Not checked: that accesses are in bounds and that iterations of parallel
// loops are independent. tir/interpreter.h detects such errors at run time.
#ifndef ASSAY_COMPILER_TIR_VERIFIER_H_
#define ASSAY_COMPILER_TIR_VERIFIER_H_

#include "absl/status/status.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

absl::Status Verify(const Function& f);

// Verify, plus the postconditions of LowerLoops on which code generators rely:
// every access has a single index, and no vectorized or unrolled loops and no
// intrinsics that passes/lower_intrinsics expands remain.
absl::Status VerifyLowered(const Function& f);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_VERIFIER_H_
