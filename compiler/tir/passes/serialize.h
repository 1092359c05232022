// Serialize: replaces parallel, vectorized and unrolled loops by serial loops.
//
//   vectorized i in [0, 8) { %a[i] = 0f }  ->  for i in [0, 8) { %a[i] = 0f }
//
// The pass is for code generators without threads and vectors. Outputs do not
// change: iterations of parallel and vectorized loops may run in any order, and
// unrolled loops run in serial order anyway. The pass also removes all pragmas,
// which only control unrolling and GPU threads.
#ifndef ASSAY_COMPILER_TIR_PASSES_SERIALIZE_H_
#define ASSAY_COMPILER_TIR_PASSES_SERIALIZE_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Serialize(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_SERIALIZE_H_
