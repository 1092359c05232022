// Serialize: parallel, vectorized and unrolled loops become serial ones.
//
//   vectorized i in [0, 8) { %a[i] = 0f }  ->  for i in [0, 8) { %a[i] = 0f }
//
// For code generators without threads and vectors. The result of a program does
// not change, because these loops may run in any order. Pragmas go too: they
// are about loops that other passes would have unrolled.
#ifndef ASSAY_COMPILER_TIR_PASSES_SERIALIZE_H_
#define ASSAY_COMPILER_TIR_PASSES_SERIALIZE_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Serialize(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_SERIALIZE_H_
