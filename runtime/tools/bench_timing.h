// TimeSession: takes all samples of one run of bench_artifact.
//
// The terms are those of TVM's time_evaluator. After `warmup` runs, `repeat`
// samples are taken. A sample is the mean time of `number` consecutive runs. If
// the runs of a sample take less than `min_repeat_ms` in total, the sample is
// discarded and taken again with a larger number of runs. The following samples
// start with this larger number.
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
  // If not 0, this number of bytes of other memory is accessed before each
  // sample to evict the caches.
  int64_t flush_cache_bytes = 0;
  // If true, every kernel is timed as well, in separate runs after the samples.
  bool per_op = false;
};

// Returns InvalidArgument, with the name of the option, if a value is out of
// range.
absl::Status CheckTiming(const BenchTiming& timing);

struct BenchResult {
  // Mean time of a run in nanoseconds, for each sample.
  std::vector<double> samples_ns;
  // Number of runs of each sample.
  std::vector<int64_t> numbers;
  // If BenchTiming::per_op is true, contains `repeat` samples for each kernel
  // call; otherwise empty. A sample is the mean time of the call in nanoseconds
  // over `numbers.back()` runs.
  std::vector<std::vector<double>> op_samples_ns;
  // Outputs of the last sample.
  NamedTensors outputs;
};

// Times program 0 of `session`. Returns the error of CheckTiming() if a value
// of `timing` is out of range. `progress`, if not null, is called after each
// sample with the number of samples taken and the last sample in nanoseconds.
absl::StatusOr<BenchResult> TimeSession(
    Session& session, const BenchTiming& timing,
    const std::function<void(int64_t done, double last_ns)>& progress =
        nullptr);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_TIMING_H_
