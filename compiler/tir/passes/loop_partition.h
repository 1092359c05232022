// PartitionLoops: loops whose bodies ask what only the ends of the range
// answer differently are cut there, so that the long part asks nothing.
//
//   for o in [0, 4) { for i in [0, 4) { if o * 4 + i < 14 { S } } }
//   ->
//   for o in [0, 3) { for i in [0, 4) { S } }
//   for i in [0, 2) { S with o = 3 }
//
// - A serial loop of constant range is cut in at most three where that decides
//   conditions for at least half of its iterations (loop_cuts.h says which).
//   Outer loops come first: what they decide leaves constant extents behind.
//   A cut that copies more than 256 stores, counting unrolled loops as often
//   as they will be copied, is not made, nor is one after 1024 in all.
// - A condition that is a loop's whole body and compares its variable with
//   something fixed narrows the range instead, which copies nothing:
//     for i in [0, 4) { if o * 4 + i < n { S } }
//     -> for i in [0, min(4, n - o * 4)) { S }
//   Parallel, vectorized and unrolled loops narrow by constants only.
//
// Cutting a serial loop is right whatever it decides. Wants conditions
// simplified and hoisted; the parts come back simplified. Runs before
// vectorize, which so meets vectors without tails, and before unroll, which
// would copy the conditions.
#ifndef ASSAY_COMPILER_TIR_PASSES_LOOP_PARTITION_H_
#define ASSAY_COMPILER_TIR_PASSES_LOOP_PARTITION_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt PartitionLoops(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LOOP_PARTITION_H_
