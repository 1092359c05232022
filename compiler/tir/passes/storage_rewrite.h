// RewriteStorage: buffers that are never needed at the same time share memory.
//
//   alloc %a: global float32[64]          alloc %a: global float32[80]
//   alloc %b: global float32[80]          …
//   …  %a is last read here          ->   …
//   …  %b is first written here           …  on %a in place of %b
//
// - A buffer is needed from the first statement that touches it to the last. A
//   loop inside the allocation is one statement: what one iteration leaves
//   another may read.
// - Memory is shared within the function, or within the body of one parallel
//   loop, by buffers of the same scope and type: the program has no views of
//   bytes as another type. Each buffer in turn, in the order in which they are
//   first needed, takes the smallest free one that is large enough, else the
//   largest, which grows. Allocations that share move to the begin of the
//   function or of the parallel loop's body; the others stay.
// - Where the last loop that reads a buffer is the first that writes another
//   one of that size, element by element at the same index, the second takes
//   the place of the first.
// - Local buffers of up to 2 KiB are left alone. They are to become registers,
//   32 of 64 bytes at most, and sharing ties them together.
//
// Runs after vectorize and unroll, whose loops have allocations for each lane
// and copy.
#ifndef ASSAY_COMPILER_TIR_PASSES_STORAGE_REWRITE_H_
#define ASSAY_COMPILER_TIR_PASSES_STORAGE_REWRITE_H_

#include <cstdint>

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt RewriteStorage(const Stmt& s);

// The most memory of this scope that allocations hold at one time, for one
// thread, in bytes.
int64_t PeakBytes(const Stmt& s, expr::Scope scope);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_STORAGE_REWRITE_H_
