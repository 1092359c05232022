// RewriteStorage: lets buffers with disjoint live ranges share memory.
//
//   alloc %a: global float32[64]          alloc %a: global float32[80]
//   alloc %b: global float32[80]          …
//   …  %a is last read here          ->   …
//   …  %b is first written here           …  on %a in place of %b
//
// - A buffer is live from its first to its last access. A loop in the body of
//   the allocation counts as one statement, because an iteration may read
//   elements that an earlier iteration wrote.
// - Buffers can share memory if they have the same scope and element type, and
//   are allocated in the same region: the function without its parallel loops,
//   or the body of one parallel loop. Loop programs cannot reinterpret memory
//   as another type.
// - Memory is assigned by greedy best fit, in order of first access. A buffer
//   takes the smallest free block that is large enough. If no free block is
//   large enough, the largest free block grows. If no block is free, the buffer
//   gets a new block.
// - Shared allocations are moved to the start of the region. Other allocations
//   are not changed.
// - A buffer B can also take over the memory of a buffer A of the same shape if
//   one loop has both the last access to A and the first access to B. In this
//   loop, an element of B may depend on only one element of A: the element at
//   the same index.
// - Local buffers of up to 2 KiB are not changed, because they should be
//   promoted to registers (at most 32 registers of 64 bytes). Sharing would
//   prevent the promotion.
// - If sharing would increase PeakBytes, the program is not changed.
//
// The pass must run after vectorize and unroll, because vectorize expands
// allocations to all lanes, and unroll copies allocations.
#ifndef ASSAY_COMPILER_TIR_PASSES_STORAGE_REWRITE_H_
#define ASSAY_COMPILER_TIR_PASSES_STORAGE_REWRITE_H_

#include <cstdint>

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt RewriteStorage(const Stmt& s);

// Returns the maximum, over all points of the program, of the total size in
// bytes of the enclosing allocations with scope `scope`. An allocation inside a
// parallel loop is counted once, that is, for one thread.
int64_t PeakBytes(const Stmt& s, expr::Scope scope);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_STORAGE_REWRITE_H_
