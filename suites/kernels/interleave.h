// Interleave: times several programs that do the same thing against each
// other, one sample of each in turn.
//
// Two programs timed one after the other are timed on two machines: clock
// rates, neighbours and caches change by more from one second to the next than
// the difference that is looked for. Samples that alternate see the same
// machine, so the ratio of two medians means something even where neither
// median does. The order is drawn anew in every round, lest somebody always
// comes after the one that heats the processor or empties the cache.
//
// A sample is `number` consecutive runs, `number` fixed beforehand so that the
// sample takes about `sample_nanos`. Each sample comes after runs that are not
// timed: one, which finds the caches as the one before left them, and more up
// to `warmup_nanos`, in which threads that slept wake up.
#ifndef ASSAY_SUITES_KERNELS_INTERLEAVE_H_
#define ASSAY_SUITES_KERNELS_INTERLEAVE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/base/clock.h"

namespace assay::suites {

struct Contestant {
  std::string name;
  // One run, of which all the time counts that the clock says, or where
  // `timed_run` is given as many nanoseconds as that returns.
  std::function<absl::Status()> run;
  std::function<absl::StatusOr<int64_t>()> timed_run;
};

struct InterleaveOptions {
  int rounds = 30;
  int64_t sample_nanos = 2'000'000;
  int64_t warmup_nanos = 0;
  // Of the order within the rounds.
  uint64_t seed = 0;
  // Called before each sample, not timed: waits for what the last contestant
  // left running. May be null.
  std::function<void()> settle;
};

struct Series {
  std::string name;
  int64_t number = 0;
  // Nanoseconds of one run, a mean per sample, in the order of the rounds.
  std::vector<double> samples_ns;
};

// In the order of `contestants`. The first error of a run ends it.
// FailedPrecondition if a run takes no time.
absl::StatusOr<std::vector<Series>> Interleave(
    absl::Span<const Contestant> contestants, const InterleaveOptions& options,
    Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_INTERLEAVE_H_
