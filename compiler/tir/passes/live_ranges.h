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
  // Positions in program order, both inclusive. If the first access is in
  // `first_loop`, the range starts where that loop starts. If the last access
  // is in `last_loop`, the range ends where that loop ends.
  int first = 0, last = -1;
  // The outermost loops inside the allocation that contain the first and the
  // last access. Undefined if the access is in no such loop.
  Stmt first_loop, last_loop;
};

// Returns the live ranges of the buffers that are allocated in `region` outside
// parallel loops, ordered by first access. Buffers without accesses are
// omitted.
std::vector<LiveRange> FindLiveRanges(const Stmt& region);

// `loop` must contain the last access of `a` and the first access of `b`.
// Returns true if `b` can use the memory of `a`: the shapes are equal, `loop`
// writes each element of `b` at most once, and an element of `b` depends on no
// element of `a` except the one at the same index.
bool WritesInPlace(const Stmt& loop, const Buffer& a, const Buffer& b);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_
