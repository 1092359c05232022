// FindLiveRanges: computes the live ranges of the buffers that are allocated in
// a region of a program. Private to passes/storage_rewrite.
#ifndef ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_
#define ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_

#include <vector>

#include "compiler/tir/stmt.h"

namespace assay::tir {

// The statements from the first to the last access of a buffer.
struct LiveRange {
  Buffer buffer;
  // Positions in program order, both inclusive. If `first_loop` is defined, the
  // range starts where that loop starts. If `last_loop` is defined, the range
  // ends where that loop ends.
  int first = 0, last = -1;
  // Of the loops inside the allocation, `first_loop` is the outermost loop
  // around the first access, and `last_loop` is the outermost loop around the
  // last access. If an access is in no loop inside the allocation, the
  // corresponding member is undefined.
  Stmt first_loop, last_loop;
};

// Returns the live ranges of the buffers that are allocated in `region` outside
// parallel loops, ordered by first access. Buffers without accesses are
// omitted.
std::vector<LiveRange> FindLiveRanges(const Stmt& region);

// `loop` must contain the last access of `a` and the first access of `b`.
// Returns true if `b` can use the memory of `a`, i.e. if it is certain that
//   - the shapes are equal;
//   - `loop` writes each element of `b` at most once;
//   - each element of `b` depends on no element of `a` except the element at
//     the same index.
bool WritesInPlace(const Stmt& loop, const Buffer& a, const Buffer& b);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_
