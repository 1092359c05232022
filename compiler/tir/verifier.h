// Verify: whether a program keeps the rules that tir/stmt.h states and that
// Make does not already enforce. A violation is a bug of whoever built the
// program; the error is Internal and reads
// `function `conv`: variable `i` is used outside its loop or let`.
//
// Checked: names of functions; every variable and buffer is used only inside
// the loop, allocation or function that declares it, and declared once on the
// way; accesses have one int32 index per dimension, or one in all; inputs are
// not stored to; parallel loops do not nest, and local buffers do not cross
// into one; vectorized and unrolled extents are constants; no node of tensor
// expressions is left.
//
// Not checked: that accesses stay in bounds and that iterations of a parallel
// loop are independent. tir/interpreter.h finds such bugs by running.
#ifndef ASSAY_COMPILER_TIR_VERIFIER_H_
#define ASSAY_COMPILER_TIR_VERIFIER_H_

#include "absl/status/status.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

absl::Status Verify(const Function& f);

// Verify, and what LowerLoops promises code generators on top: every access
// has one index, no vectorized or unrolled loop and no call that
// passes/lower_intrinsics expands is left.
absl::Status VerifyLowered(const Function& f);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_VERIFIER_H_
