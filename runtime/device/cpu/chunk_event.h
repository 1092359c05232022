// ChunkEvent: a chunk of a parallel loop that a thread has executed. A
// ThreadPool records them between StartTrace() and StopTrace().
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CHUNK_EVENT_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CHUNK_EVENT_H_

#include <cstdint>

namespace assay::runtime {

struct ChunkEvent {
  int thread = 0;  // 0 is the caller of ParallelFor()
  // The number of the loop. Chunks of one loop have the same number; loops that
  // run as one chunk on their caller have the number 0.
  uint64_t loop = 0;
  // The iterations [begin, end) of the loop.
  int32_t begin = 0;
  int32_t end = 0;
  // Times of MonotonicNanos().
  int64_t start_nanos = 0;
  int64_t end_nanos = 0;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CHUNK_EVENT_H_
