// TimingLoop: the arithmetic of measuring, apart from what is measured, so
// that it can be tested against a clock that the test moves.
#ifndef ASSAY_RUNTIME_MEASURE_TIMING_LOOP_H_
#define ASSAY_RUNTIME_MEASURE_TIMING_LOOP_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/base/clock.h"
#include "runtime/measure/measurer.h"

namespace assay::runtime {

struct TimingLoopHooks {
  // What is timed. Called `warmup` times, then `number` times per sample.
  std::function<absl::Status()> run;
  // Called before every batch of `number` runs, not timed. May be null.
  std::function<absl::Status()> before_batch;
  // Called before the last run of every batch, not timed. May be null.
  std::function<absl::Status()> before_last;
  // May be null.
  MeasureProgressFn progress;
};

struct TimingSamples {
  std::vector<double> samples_ns;
  std::vector<int64_t> numbers;
};

// Takes samples as measurer.h says; per_op and flush_cache_bytes are the
// caller's business. The first error of a hook ends it. FailedPrecondition,
// never a sample of zero, if a million runs take no time, or if a thousand
// million take less than min_repeat_ms.
absl::StatusOr<TimingSamples> RunTimingLoop(const TimingLoopHooks& hooks,
                                            const MeasureOptions& options,
                                            Clock* clock);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_TIMING_LOOP_H_
