// TraceRun: records when each kernel of a run, and each chunk of its parallel
// loops, began and ended on each thread. It shows how the threads lose time:
// workers begin late, wait for longer chunks of other threads, or are idle
// because a kernel uses only one thread.
//
// The run is made in this process, on a CpuDevice of its own.
#ifndef ASSAY_RUNTIME_MEASURE_RUN_TRACE_H_
#define ASSAY_RUNTIME_MEASURE_RUN_TRACE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/device/cpu/chunk_event.h"

namespace assay::runtime {

// All times are nanoseconds since the start of the run.
struct RunTrace {
  struct Kernel {
    int64_t start_nanos = 0;
    int64_t end_nanos = 0;
  };
  std::vector<Kernel> kernels;  // the calls of the plan, in order
  // By thread and time. A kernel that has no parallel loop has no chunks.
  std::vector<ChunkEvent> chunks;
  int threads = 0;
};

struct TraceOptions {
  int threads = 0;  // 0 means UsableCpuCount()
  int warmup_runs = 10;
  // The run that takes the median time among this number of runs is returned.
  int runs = 9;
};

// Returns InvalidArgument if the artifact is not machine code of this machine
// or `inputs` lacks an input.
absl::StatusOr<RunTrace> TraceRun(const Artifact& artifact,
                                  const NamedTensors& inputs,
                                  const TraceOptions& options);

// How the threads spend the time of a kernel. The sum of the four parts is the
// time of the kernel multiplied by the number of threads.
struct KernelTime {
  // From the start of the first chunk of each thread in a loop to the end of
  // the last chunk of this thread.
  int64_t busy_nanos = 0;
  // From the start of a loop to the first chunk of each thread. For a thread
  // that gets no chunk, this is the whole loop.
  int64_t start_nanos = 0;
  // From the last chunk of each thread to the end of the loop.
  int64_t end_nanos = 0;
  // The time before, between and after the loops, when one thread computes or
  // starts a loop and the others wait.
  int64_t serial_nanos = 0;
};

// Returns the times of each kernel.
std::vector<KernelTime> KernelTimes(const RunTrace& trace);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_RUN_TRACE_H_
