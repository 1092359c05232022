// Live ranges of the buffers allocated in a region. Private to
// passes/storage_rewrite.
#ifndef ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_
#define ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_

#include <vector>

#include "compiler/tir/stmt.h"

namespace assay::tir {

// Positions number the statements in program order; both ends are inclusive.
struct LiveRange {
  Buffer buffer;
  int first = 0, last = -1;
  // The outermost loops inside the allocation that contain the first and the
  // last access; undefined if that access is outside of such loops.
  Stmt first_loop, last_loop;
};

// The buffers allocated in `region` outside of parallel loops, ordered by first
// access; unused ones are omitted.
std::vector<LiveRange> FindLiveRanges(const Stmt& region);

// Returns true if `loop`, which contains the last access of `a` and the first
// of `b`, computes each element of `b` exactly once, and from no element of `a`
// but the one at the same index.
bool WritesInPlace(const Stmt& loop, const Buffer& a, const Buffer& b);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_
