// When the buffers that a region allocates are needed. Private to
// passes/storage_rewrite.
#ifndef ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_
#define ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_

#include <vector>

#include "compiler/tir/stmt.h"

namespace assay::tir {

// Statements are counted as they are met; both ends belong to the range.
struct LiveRange {
  Buffer buffer;
  int first = 0, last = -1;
  // The outermost loop inside the allocation that touches the buffer first and
  // last; undefined where a statement outside such a loop does.
  Stmt first_loop, last_loop;
};

// The buffers allocated in `region` outside of parallel loops, in the order in
// which they are first touched; without those that never are.
std::vector<LiveRange> FindLiveRanges(const Stmt& region);

// Whether `loop`, the last that touches `a` and the first that touches `b`,
// computes each element of `b` from the element of `a` at the same index and
// from no other, once.
bool WritesInPlace(const Stmt& loop, const Buffer& a, const Buffer& b);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LIVE_RANGES_H_
