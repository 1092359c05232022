#include "runtime/measure/timing_loop.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

constexpr int64_t kNanosPerMilli = 1000000;
constexpr int64_t kMaxNumber = 1000000000;
// So many runs take time on any clock that goes.
constexpr int64_t kMaxTimelessNumber = 1000000;

// The next size of a batch that took `nanos`, too little: what the time per
// run calls for, but at least half as much again, because the estimate from a
// short batch is poor.
int64_t GrownNumber(int64_t number, int64_t nanos, int64_t min_nanos) {
  const double grown = 1.618 * static_cast<double>(number) + 1;
  double needed = 0;
  if (nanos > 0) {
    needed = static_cast<double>(min_nanos) * static_cast<double>(number) /
                 static_cast<double>(nanos) +
             1;
  }
  const double next = std::max(grown, needed);
  return next >= static_cast<double>(kMaxNumber) ? kMaxNumber
                                                 : static_cast<int64_t>(next);
}

absl::StatusOr<int64_t> TimeRuns(const TimingLoopHooks& hooks, int64_t number,
                                 Clock* clock) {
  const int64_t start = clock->NowNanos();
  for (int64_t i = 0; i < number; ++i) ASSAY_RETURN_IF_ERROR(hooks.run());
  return clock->NowNanos() - start;
}

// Runs one batch; gives the nanoseconds it took.
absl::StatusOr<int64_t> TimeBatch(const TimingLoopHooks& hooks, int64_t number,
                                  Clock* clock) {
  if (hooks.before_batch) ASSAY_RETURN_IF_ERROR(hooks.before_batch());
  if (!hooks.before_last) return TimeRuns(hooks, number, clock);
  int64_t nanos = 0;
  if (number > 1) {
    ASSAY_ASSIGN_OR_RETURN(nanos, TimeRuns(hooks, number - 1, clock));
  }
  ASSAY_RETURN_IF_ERROR(hooks.before_last());
  ASSAY_ASSIGN_OR_RETURN(const int64_t last, TimeRuns(hooks, 1, clock));
  return nanos + last;
}

}  // namespace

absl::StatusOr<TimingSamples> RunTimingLoop(const TimingLoopHooks& hooks,
                                            const MeasureOptions& options,
                                            Clock* clock) {
  ASSAY_RETURN_IF_ERROR(CheckOptions(options));
  for (int64_t i = 0; i < options.warmup; ++i) {
    ASSAY_RETURN_IF_ERROR(hooks.run());
  }
  // A batch has to take some time even if no minimum was asked for.
  const int64_t min_nanos =
      std::max<int64_t>(options.min_repeat_ms * kNanosPerMilli, 1);
  int64_t number = options.number;
  TimingSamples samples;
  for (int64_t repeat = 0; repeat < options.repeat; ++repeat) {
    if (repeat > 0) {
      clock->SleepNanos(options.cooldown_interval_ms * kNanosPerMilli);
    }
    ASSAY_ASSIGN_OR_RETURN(int64_t nanos, TimeBatch(hooks, number, clock));
    while (nanos < min_nanos) {
      if (number >= (nanos > 0 ? kMaxNumber : kMaxTimelessNumber)) {
        return absl::FailedPreconditionError(
            absl::StrCat(number, " runs took ", nanos, " ns, less than the ",
                         min_nanos, " wanted; there is nothing to measure"));
      }
      number = GrownNumber(number, nanos, min_nanos);
      ASSAY_ASSIGN_OR_RETURN(nanos, TimeBatch(hooks, number, clock));
    }
    samples.samples_ns.push_back(static_cast<double>(nanos) /
                                 static_cast<double>(number));
    samples.numbers.push_back(number);
    if (hooks.progress) {
      hooks.progress({repeat + 1, options.repeat, samples.samples_ns.back()});
    }
  }
  return samples;
}

}  // namespace assay::runtime
