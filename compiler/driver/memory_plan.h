// PlanMemory: assigns offsets in one arena to buffers with known lifetimes.
// Buffers that are live at the same time do not overlap, and the arena is
// small.
//
// Time is the index of the kernel call. A buffer is live from the call that
// writes it to the last call that reads it, including both calls. The inputs
// and outputs of a kernel must not overlap. Therefore a buffer whose last use
// is call 5 conflicts with a buffer whose first use is call 5.
//
//   PlanMemory({{4096, 0, 1}, {4096, 1, 2}, {100, 2, 3}})
//     -> offsets {0, 4096, 0}, arena_bytes 8192
//
// The algorithm is greedy best fit. It places the buffers in the order of
// decreasing size. Buffers of equal size are ordered by first use and then by
// index, so the plan is deterministic. Each buffer is placed into the smallest
// sufficient gap between the conflicting buffers that are already placed, or
// after all of these if there is no such gap. If the arena is larger than
// LiveBytesLowerBound(), three other orders are tried as well: by decreasing
// product of size and duration, by decreasing duration, and by first use. The
// order that gives the smallest arena is used. The result need not be optimal,
// because finding the minimum is NP-hard (dynamic storage allocation; Garey and
// Johnson, "Computers and Intractability", 1979, problem SR2).
#ifndef ASSAY_COMPILER_DRIVER_MEMORY_PLAN_H_
#define ASSAY_COMPILER_DRIVER_MEMORY_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::driver {

struct BufferLifetime {
  int64_t bytes = 0;      // >= 0; a buffer of 0 bytes gets offset 0
  int32_t first_use = 0;  // index of a kernel call
  int32_t last_use = 0;   // index of a kernel call, inclusive; >= first_use
};

struct MemoryPlan {
  // Offset of each buffer in bytes. All offsets are multiples of
  // ASSAY_BUFFER_ALIGNMENT.
  std::vector<int64_t> offsets;
  int64_t arena_bytes = 0;
};

// Returns a plan for `buffers`. CHECK-fails if a size is negative or if a
// lifetime ends before it starts.
MemoryPlan PlanMemory(absl::Span<const BufferLifetime> buffers);

// Returns the maximum over time of the total aligned size of all live buffers.
// No plan can have a smaller arena.
int64_t LiveBytesLowerBound(absl::Span<const BufferLifetime> buffers);

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_MEMORY_PLAN_H_
