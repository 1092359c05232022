// PartitionLoops: splits the range of a loop so that its main part contains no
// conditions (index-set splitting, loop peeling). This is possible for
// conditions that change only in iterations near the ends of the range.
//
//   for o in [0, 4) { for i in [0, 4) { if o * 4 + i < 14 { S } } }
//   ->
//   for o in [0, 3) { for i in [0, 4) { S } }
//   for i in [0, 2) { S with o = 3 }
//
// - A serial loop of constant range is split into at most three parts if enough
//   conditions are then always true or always false within a part
//   (loop_cuts.h). Outer loops are split first, which can make the ranges of
//   inner loops constant. A split is rejected if it copies more than 256
//   stores, or if all splits of the function together would copy more than
//   1024. A store in an unrolled loop is counted once per iteration.
// - Suppose that the whole body of a loop is an IfThenElse without else. Its
//   condition may be a comparison (`<` or `<=`), or several comparisons joined
//   by `&&`. Each comparison that limits the loop variable by a loop-invariant
//   value is removed, and the range of the loop is narrowed instead. No code is
//   copied:
//     for i in [0, 4) { if o * 4 + i < n { S } }
//     -> for i in [0, min(4, n - o * 4)) { S }
//   The ranges of parallel, vectorized and unrolled loops are narrowed only if
//   the limit is a constant.
//
// Conditions should be simplified and hoisted before this pass. The pass
// simplifies the parts. It must run before vectorize, which can then emit
// vector statements without tails, and before unroll, which would copy the
// conditions.
#ifndef ASSAY_COMPILER_TIR_PASSES_LOOP_PARTITION_H_
#define ASSAY_COMPILER_TIR_PASSES_LOOP_PARTITION_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt PartitionLoops(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LOOP_PARTITION_H_
