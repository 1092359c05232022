#include "runtime/measure/local_measurer.h"

#include <memory>
#include <utility>
#include <vector>

#include "runtime/base/status_macros.h"
#include "runtime/measure/timing_loop.h"

namespace assay::runtime {
namespace {

// One sample per kernel: means over `number` runs.
absl::StatusOr<std::vector<double>> TimeKernels(Executor* executor,
                                                int64_t number) {
  std::vector<int64_t> nanos;
  std::vector<double> sums(executor->calls().size(), 0);
  for (int64_t i = 0; i < number; ++i) {
    ASSAY_RETURN_IF_ERROR(executor->RunTimed(&nanos));
    for (size_t k = 0; k < sums.size(); ++k) {
      sums[k] += static_cast<double>(nanos[k]);
    }
  }
  for (double& sum : sums) sum /= static_cast<double>(number);
  return sums;
}

}  // namespace

absl::StatusOr<MeasureResult> MeasureExecutor(Executor* executor,
                                              const MeasureOptions& options,
                                              const MeasureProgressFn& progress,
                                              Clock* clock) {
  TimingLoopHooks hooks;
  hooks.run = [&] { return executor->Run(); };
  // So that outputs which are right were computed while the clock ran.
  hooks.before_last = [&] { return executor->PoisonOutputs(); };
  hooks.progress = progress;
  if (options.flush_cache_bytes > 0) {
    hooks.before_batch = [&] {
      return executor->device()->FlushCaches(options.flush_cache_bytes);
    };
  }
  ASSAY_ASSIGN_OR_RETURN(TimingSamples samples,
                         RunTimingLoop(hooks, options, clock));
  MeasureResult result;
  result.samples_ns = std::move(samples.samples_ns);
  result.numbers = std::move(samples.numbers);
  if (options.per_op) {
    result.op_samples_ns.resize(executor->calls().size());
    for (int64_t repeat = 0; repeat < options.repeat; ++repeat) {
      if (hooks.before_batch) ASSAY_RETURN_IF_ERROR(hooks.before_batch());
      ASSAY_ASSIGN_OR_RETURN(const std::vector<double> kernels,
                             TimeKernels(executor, result.numbers.back()));
      for (size_t k = 0; k < kernels.size(); ++k) {
        result.op_samples_ns[k].push_back(kernels[k]);
      }
    }
  }
  ASSAY_ASSIGN_OR_RETURN(result.outputs, executor->GetOutputs());
  return result;
}

absl::StatusOr<MeasureResult> LocalMeasurer::Measure(
    const Artifact& artifact, const NamedTensors& inputs,
    const MeasureOptions& options, const MeasureProgressFn& progress) {
  ASSAY_RETURN_IF_ERROR(CheckOptions(options));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Executor> executor,
                         Executor::Create(artifact, device_));
  ASSAY_RETURN_IF_ERROR(executor->SetInputs(inputs));
  return MeasureExecutor(executor.get(), options, progress);
}

}  // namespace assay::runtime
