// RewriteStorage: lets buffers with disjoint live ranges share memory.
//
//   alloc %a: global float32[64]          alloc %a: global float32[80]
//   alloc %b: global float32[80]          …
//   …  %a is last read here          ->   …
//   …  %b is first written here           …  on %a in place of %b
//
// - A buffer is live from its first to its last access. A loop inside of the
//   allocation counts as one statement, because iterations may read what
//   earlier ones wrote.
// - Memory is shared within the function, or within the body of one parallel
//   loop, by buffers of the same scope and type: loop programs cannot
//   reinterpret memory as another type. Greedy best fit, in order of first
//   access: a buffer takes the smallest free block that is large enough, or
//   else the largest one, which then grows. Shared allocations move to the
//   start of the function or of the parallel loop's body; other allocations are
//   not changed.
// - If the last loop that reads a buffer is the first that writes another one
//   of the same size, element by element at the same index, the second buffer
//   is computed in place of the first.
// - Local buffers of up to 2 KiB are not changed. They should be promoted to
//   registers (at most 32 of 64 bytes), which sharing would prevent.
//
// Runs after vectorize and unroll, which create allocations per lane and per
// copy.
#ifndef ASSAY_COMPILER_TIR_PASSES_STORAGE_REWRITE_H_
#define ASSAY_COMPILER_TIR_PASSES_STORAGE_REWRITE_H_

#include <cstdint>

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt RewriteStorage(const Stmt& s);

// Peak size in bytes of the allocations of one scope that are live at the same
// time, per thread.
int64_t PeakBytes(const Stmt& s, expr::Scope scope);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_STORAGE_REWRITE_H_
