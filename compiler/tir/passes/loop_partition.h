// PartitionLoops: splits the range of loops with conditions that only the
// iterations near the ends do not satisfy (or satisfy), so that the main part
// has no conditions (index-set splitting, or loop peeling).
//
//   for o in [0, 4) { for i in [0, 4) { if o * 4 + i < 14 { S } } }
//   ->
//   for o in [0, 3) { for i in [0, 4) { S } }
//   for i in [0, 2) { S with o = 3 }
//
// - A serial loop of constant range is split into at most three parts if that
//   decides conditions for at least half of its iterations (see loop_cuts.h).
//   Outer loops are split first, which makes the extents of inner loops
//   constant. A split is rejected if it copies more than 256 stores, where
//   unrolled loops count with all their copies, or if the function would exceed
//   1024 copied stores in total.
// - A condition that is the whole body of a loop and compares the loop variable
//   with a loop-invariant value narrows the range instead, without copies:
//     for i in [0, 4) { if o * 4 + i < n { S } }
//     -> for i in [0, min(4, n - o * 4)) { S }
//   Parallel, vectorized and unrolled loops are narrowed by constants only.
//
// Splitting a serial loop is always correct. Conditions should be simplified
// and hoisted before; the parts are simplified. Runs before vectorize, which
// then processes vectors without tails, and before unroll, which would copy the
// conditions.
#ifndef ASSAY_COMPILER_TIR_PASSES_LOOP_PARTITION_H_
#define ASSAY_COMPILER_TIR_PASSES_LOOP_PARTITION_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt PartitionLoops(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LOOP_PARTITION_H_
