// TimeSession: all samples of one run of bench_artifact.
//
// The terms are those of TVM's time_evaluator: after `warmup` runs, `repeat`
// samples are taken, each the mean over `number` consecutive runs. If a sample
// takes less than `min_repeat_ms`, it is discarded and `number` grows until it
// does; the grown number holds for the samples that follow.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_TIMING_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_TIMING_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/session.h"

namespace assay::runtime {

struct BenchTiming {
  int64_t warmup = 1;
  int64_t number = 10;
  int64_t repeat = 3;
  int64_t min_repeat_ms = 0;
  // Pause before each sample.
  int64_t cooldown_ms = 0;
  // Size of the memory to access before each sample in order to evict the
  // caches; 0 leaves them warm.
  int64_t flush_cache_bytes = 0;
  // Also times every kernel, in separate runs after the samples.
  bool per_op = false;
};

// InvalidArgument, naming the option, if a value is out of range.
absl::Status CheckTiming(const BenchTiming& timing);

struct BenchResult {
  // Mean time of a run and number of runs, by sample.
  std::vector<double> samples_ns;
  std::vector<int64_t> numbers;
  // With per_op: for each kernel call, `repeat` means over `numbers.back()`
  // runs.
  std::vector<std::vector<double>> op_samples_ns;
  // Outputs of the last sample.
  NamedTensors outputs;
};

// `progress` is called after each sample with the number of samples taken and
// the last of them; may be null.
absl::StatusOr<BenchResult> TimeSession(
    Session& session, const BenchTiming& timing,
    const std::function<void(int64_t done, double last_ns)>& progress =
        nullptr);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_TIMING_H_
