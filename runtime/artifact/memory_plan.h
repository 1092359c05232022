// PlanMemory: places buffers with known lifetimes in one arena, so that
// buffers that live at the same time never share a byte and the arena is
// small.
//
// Time is the index of the kernel call. A buffer is live from the call that
// writes it to the last call that reads it, both inclusive: a kernel's inputs
// and outputs must not overlap, so a buffer that dies at call 5 and one born
// at call 5 conflict.
//
//   PlanMemory({{4096, 0, 1}, {4096, 1, 2}, {100, 2, 3}})
//     -> offsets {0, 4096, 0}, arena_bytes 8192
//
// Method: buffers in order of decreasing size (ties: earlier first use, then
// lower index, so the plan is deterministic), each at the smallest gap that
// holds it between the already placed buffers it conflicts with, else at the
// end of them. Where that misses the bound, other orders are tried: by size
// times duration, by duration, by first use; the smallest arena is taken. It is
// a heuristic; finding the least arena is NP-hard (dynamic storage allocation).
// LiveBytesLowerBound() says how far off it can be.
#ifndef ASSAY_RUNTIME_ARTIFACT_MEMORY_PLAN_H_
#define ASSAY_RUNTIME_ARTIFACT_MEMORY_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::runtime {

struct BufferLifetime {
  int64_t bytes = 0;  // >= 0; a buffer of 0 bytes gets offset 0
  int32_t first_use = 0;
  int32_t last_use = 0;  // inclusive, >= first_use
};

struct MemoryPlan {
  // One per buffer, in the order given; multiples of ASSAY_BUFFER_ALIGNMENT.
  std::vector<int64_t> offsets;
  int64_t arena_bytes = 0;
};

// CHECK-fails on a negative size or an interval that ends before it starts.
MemoryPlan PlanMemory(absl::Span<const BufferLifetime> buffers);

// The largest sum, over time, of the (aligned) sizes live at once: no plan can
// have a smaller arena.
int64_t LiveBytesLowerBound(absl::Span<const BufferLifetime> buffers);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_MEMORY_PLAN_H_
