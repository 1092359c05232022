#include "runtime/measure/run_trace.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/executor.h"

namespace assay::runtime {
namespace {

absl::StatusOr<RunTrace> TraceOne(Executor& executor, CpuDevice& device) {
  RunTrace trace;
  trace.threads = device.num_threads();
  std::vector<int64_t> kernel_nanos;
  device.StartTrace();
  const int64_t start = MonotonicNanos();
  const absl::Status status = executor.RunTimed(&kernel_nanos);
  trace.chunks = device.StopTrace();
  ASSAY_RETURN_IF_ERROR(status);
  int64_t end = 0;
  for (const int64_t nanos : kernel_nanos) {
    trace.kernels.push_back({end, end + nanos});
    end += nanos;
  }
  for (ChunkEvent& chunk : trace.chunks) {
    chunk.start_nanos -= start;
    chunk.end_nanos -= start;
  }
  return trace;
}

int64_t DurationOf(const RunTrace& trace) {
  return trace.kernels.empty() ? 0 : trace.kernels.back().end_nanos;
}

// The chunks of one loop that one thread has executed.
struct Part {
  int64_t start_nanos = 0;
  int64_t end_nanos = 0;
};

void AddLoop(const std::map<int, Part>& parts, int threads, KernelTime* time) {
  int64_t start = parts.begin()->second.start_nanos;
  int64_t end = parts.begin()->second.end_nanos;
  for (const auto& [thread, part] : parts) {
    start = std::min(start, part.start_nanos);
    end = std::max(end, part.end_nanos);
  }
  for (const auto& [thread, part] : parts) {
    time->busy_nanos += part.end_nanos - part.start_nanos;
    time->start_nanos += part.start_nanos - start;
    time->end_nanos += end - part.end_nanos;
  }
  const auto idle = threads - static_cast<int64_t>(parts.size());
  time->start_nanos += idle * (end - start);
  time->serial_nanos -= threads * (end - start);
}

}  // namespace

absl::StatusOr<RunTrace> TraceRun(const Artifact& artifact,
                                  const NamedTensors& inputs,
                                  const TraceOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<CpuDevice> device,
                         CpuDevice::Create(options.threads));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Executor> executor,
                         Executor::Create(artifact, device.get()));
  ASSAY_RETURN_IF_ERROR(executor->SetInputs(inputs));
  for (int i = 0; i < options.warmup_runs; ++i) {
    ASSAY_RETURN_IF_ERROR(executor->Run());
  }
  std::vector<RunTrace> traces;
  for (int i = 0; i < std::max(options.runs, 1); ++i) {
    ASSAY_ASSIGN_OR_RETURN(RunTrace trace, TraceOne(*executor, *device));
    traces.push_back(std::move(trace));
  }
  const auto middle =
      traces.begin() + static_cast<ptrdiff_t>(traces.size() / 2);
  std::nth_element(traces.begin(), middle, traces.end(),
                   [](const RunTrace& a, const RunTrace& b) {
                     return DurationOf(a) < DurationOf(b);
                   });
  return std::move(*middle);
}

std::vector<KernelTime> KernelTimes(const RunTrace& trace) {
  std::vector<KernelTime> times;
  // The parts of the loops, by kernel and start of the loop.
  std::vector<std::map<std::pair<uint64_t, int64_t>, std::map<int, Part>>>
      loops(trace.kernels.size());
  for (const ChunkEvent& chunk : trace.chunks) {
    const auto after = std::upper_bound(
        trace.kernels.begin(), trace.kernels.end(), chunk.start_nanos,
        [](int64_t time, const RunTrace::Kernel& kernel) {
          return time < kernel.start_nanos;
        });
    if (after == trace.kernels.begin()) continue;
    const auto kernel = static_cast<size_t>(after - trace.kernels.begin()) - 1;
    // A loop without a number is a chunk.
    const int64_t place = chunk.loop == 0 ? chunk.start_nanos : 0;
    const auto [part, is_first] =
        loops[kernel][{chunk.loop, place}].try_emplace(
            chunk.thread, Part{chunk.start_nanos, chunk.end_nanos});
    if (is_first) continue;
    part->second.start_nanos =
        std::min(part->second.start_nanos, chunk.start_nanos);
    part->second.end_nanos = std::max(part->second.end_nanos, chunk.end_nanos);
  }
  for (size_t i = 0; i < trace.kernels.size(); ++i) {
    KernelTime time;
    time.serial_nanos = trace.threads * (trace.kernels[i].end_nanos -
                                         trace.kernels[i].start_nanos);
    for (const auto& [key, parts] : loops[i]) {
      AddLoop(parts, trace.threads, &time);
    }
    times.push_back(time);
  }
  return times;
}

}  // namespace assay::runtime
