// Verify: checks the rules of tir/stmt.h that the Make functions do not
// enforce. A violation is a compiler bug. It is reported as an Internal error,
// for example `function `conv`: variable `i` is used outside its loop or let`.
//
// Verify checks that
//   - function names and pragma keys are identifiers;
//   - the function has a body, its parameters are in global scope, and the
//     shapes of all buffers are valid;
//   - every variable and buffer is used only inside the loop, let, allocation
//     or function that declares it;
//   - no variable or buffer is declared again inside its own scope;
//   - every access has one int32 index per dimension or a single int32 index;
//     the last index may be a vector;
//   - no statement stores to an input;
//   - no parallel loop is inside another parallel loop;
//   - a local buffer that is declared outside a parallel loop is not used
//     inside the loop;
//   - the extents of vectorized and unrolled loops are constants;
//   - the program contains no expr::Read and no expr::Reduce.
//
// There are two rules that Verify does not check: accesses must be in bounds,
// and the iterations of a parallel loop must be independent of each other. The
// interpreter (tir/interpreter.h) detects violations of these two rules when it
// runs a program.
#ifndef ASSAY_COMPILER_TIR_VERIFIER_H_
#define ASSAY_COMPILER_TIR_VERIFIER_H_

#include "absl/status/status.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

absl::Status Verify(const Function& f);

// Checks the rules of Verify and the postconditions of LowerLoops
// (passes/pipeline.h), on which code generators rely:
//   - every access has a single index;
//   - no vectorized or unrolled loops remain;
//   - no intrinsics that passes/lower_intrinsics.h expands remain.
absl::Status VerifyLowered(const Function& f);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_VERIFIER_H_
