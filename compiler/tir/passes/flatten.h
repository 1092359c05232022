// Flatten: gives every Load and Store a single index. It replaces the indices,
// one per dimension, by the index of the element in the row-major buffer. For
// example, if %a is a buffer of type float32[4,8]:
//
//   %a[i, j]          ->  %a[i * 8 + j]
//   %a[i / 8, i % 8]  ->  %a[i]
//
// Shapes of buffers do not change. The pass must run before vectorize, so that
// the whole address can be simplified as one sum before it becomes a vector.
#ifndef ASSAY_COMPILER_TIR_PASSES_FLATTEN_H_
#define ASSAY_COMPILER_TIR_PASSES_FLATTEN_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Flatten(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_FLATTEN_H_
