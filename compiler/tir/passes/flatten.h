// Flatten: replaces the indices of every Load and Store, one per dimension, by
// a single index in elements of the row-major buffer.
//
//   %a[i, j]          ->  %a[i * 8 + j]        of %a: float32[4,8]
//   %a[i / 8, i % 8]  ->  %a[i]
//
// Runs before vectorize, which turns the index into a Ramp, so that the
// simplifier sees the whole address as one sum. Buffers keep their shapes.
#ifndef ASSAY_COMPILER_TIR_PASSES_FLATTEN_H_
#define ASSAY_COMPILER_TIR_PASSES_FLATTEN_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Flatten(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_FLATTEN_H_
