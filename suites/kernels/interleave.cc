#include "suites/kernels/interleave.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// Nanoseconds of `number` runs.
absl::StatusOr<int64_t> TimeRuns(const Contestant& contestant, int64_t number,
                                 Clock* clock) {
  int64_t total = 0;
  if (contestant.timed_run != nullptr) {
    for (int64_t i = 0; i < number; ++i) {
      ASSAY_ASSIGN_OR_RETURN(const int64_t nanos, contestant.timed_run());
      total += nanos;
    }
    return total;
  }
  const int64_t start = clock->NowNanos();
  for (int64_t i = 0; i < number; ++i) {
    ASSAY_RETURN_IF_ERROR(contestant.run());
  }
  return clock->NowNanos() - start;
}

// How many runs make a sample of `sample_nanos`: the fastest of a few counts,
// because whatever disturbs a run makes it longer.
absl::StatusOr<int64_t> Calibrate(const Contestant& contestant,
                                  int64_t sample_nanos, Clock* clock) {
  constexpr int kTrials = 3;
  int64_t number = 1;
  while (true) {
    int64_t fastest = 0;
    for (int i = 0; i < kTrials; ++i) {
      ASSAY_ASSIGN_OR_RETURN(const int64_t nanos,
                             TimeRuns(contestant, number, clock));
      fastest = i == 0 ? nanos : std::min(fastest, nanos);
    }
    // Long enough that the clock's own error is small.
    if (fastest >= sample_nanos / 10 && fastest > 0) {
      return std::max<int64_t>(1, number * sample_nanos / fastest);
    }
    if (number > 1'000'000) {
      return absl::FailedPreconditionError(absl::StrCat(
          "a million runs of `", contestant.name, "` take no time"));
    }
    number *= 4;
  }
}

absl::Status WarmUp(const Contestant& contestant, int64_t nanos, Clock* clock) {
  const int64_t start = clock->NowNanos();
  do {
    ASSAY_RETURN_IF_ERROR(TimeRuns(contestant, 1, clock).status());
  } while (clock->NowNanos() - start < nanos);
  return absl::OkStatus();
}

void Shuffle(Rng& rng, std::vector<size_t>* order) {
  for (size_t i = order->size(); i > 1; --i) {
    std::swap((*order)[i - 1],
              (*order)[rng.UniformInt(0, static_cast<int64_t>(i) - 1)]);
  }
}

}  // namespace

absl::StatusOr<std::vector<Series>> Interleave(
    absl::Span<const Contestant> contestants, const InterleaveOptions& options,
    Clock* clock) {
  std::vector<Series> all;
  for (const Contestant& contestant : contestants) {
    if (options.settle != nullptr) options.settle();
    Series series;
    series.name = contestant.name;
    ASSAY_ASSIGN_OR_RETURN(series.number,
                           Calibrate(contestant, options.sample_nanos, clock));
    all.push_back(std::move(series));
  }
  Rng rng(SeedFor(options.seed, "interleave"));
  std::vector<size_t> order(contestants.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (int round = 0; round < options.rounds; ++round) {
    Shuffle(rng, &order);
    for (const size_t i : order) {
      if (options.settle != nullptr) options.settle();
      ASSAY_RETURN_IF_ERROR(
          WarmUp(contestants[i], options.warmup_nanos, clock));
      ASSAY_ASSIGN_OR_RETURN(const int64_t nanos,
                             TimeRuns(contestants[i], all[i].number, clock));
      all[i].samples_ns.push_back(static_cast<double>(nanos) /
                                  static_cast<double>(all[i].number));
    }
  }
  return all;
}

}  // namespace assay::suites
