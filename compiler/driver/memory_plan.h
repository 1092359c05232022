// PlanMemory: assigns buffers with known lifetimes to offsets in one arena, so
// that simultaneously live buffers do not overlap and the arena is small.
//
// Time is the index of the kernel call. A buffer is live from the call that
// writes it to the last call that reads it, both inclusive: inputs and outputs
// of a kernel must not overlap, so a buffer whose last use is call 5 conflicts
// with one whose first use is call 5.
//
//   PlanMemory({{4096, 0, 1}, {4096, 1, 2}, {100, 2, 3}})
//     -> offsets {0, 4096, 0}, arena_bytes 8192
//
// The algorithm is greedy best fit by decreasing size (ties: earlier first use,
// then lower index, so the plan is deterministic): a buffer is placed into the
// smallest sufficient gap between the conflicting buffers placed before, else
// behind them. If the arena exceeds the lower bound, the orders by size times
// duration, by duration and by first use are tried as well, and the smallest
// arena is used. This is a heuristic: finding the minimum is NP-hard (dynamic
// storage allocation; Garey and Johnson, "Computers and Intractability", 1979,
// problem SR2). LiveBytesLowerBound() bounds its error.
#ifndef ASSAY_COMPILER_DRIVER_MEMORY_PLAN_H_
#define ASSAY_COMPILER_DRIVER_MEMORY_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::driver {

struct BufferLifetime {
  int64_t bytes = 0;  // >= 0; a buffer of 0 bytes gets offset 0
  int32_t first_use = 0;
  int32_t last_use = 0;  // inclusive, >= first_use
};

struct MemoryPlan {
  // Offset of each buffer in bytes; a multiple of ASSAY_BUFFER_ALIGNMENT.
  std::vector<int64_t> offsets;
  int64_t arena_bytes = 0;
};

// CHECK-fails if a size is negative or a lifetime ends before it starts.
MemoryPlan PlanMemory(absl::Span<const BufferLifetime> buffers);

// The maximum over time of the sum of the aligned sizes of all live buffers, a
// lower bound of the arena size of every plan.
int64_t LiveBytesLowerBound(absl::Span<const BufferLifetime> buffers);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_MEMORY_PLAN_H_
