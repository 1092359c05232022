// PairedSampler: several programs that do the same work, arms, measured side by
// side, so that what the machine does to one sample it does to its neighbour
// too.
//
// Samples come in rounds, one of each arm; the order within the rounds of a
// block is balanced (stats::BlockDesign) and drawn anew for every block. All
// arms run equally often in a sample, `number` times, which is chosen once for
// all so that a sample of the first takes about `sample_nanos`: short, for the
// machine changes from one moment to the next, and long against the clock's
// error. The logarithm of the ratio of two samples of one round is what
// verdicts are made from.
//
//   PairedSampler sampler({base, changed}, options, Clock::Monotonic());
//   ASSAY_ASSIGN_OR_RETURN(const stats::PairedVerdict verdict,
//                          RunToVerdict(sampler, test_options, {budget_s}));
//
// One run before each sample is not timed, unless runs are so long that a
// sample has but a few of them: then every arm finds the caches as the others
// left them.
#ifndef ASSAY_SUITES_COMPARISON_PAIRED_SAMPLER_H_
#define ASSAY_SUITES_COMPARISON_PAIRED_SAMPLER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/base/clock.h"

namespace assay::suites {

struct Arm {
  std::string name;
  // Runs that many times in a row; the nanoseconds that took.
  std::function<absl::StatusOr<int64_t>(int64_t number)> run;
};

struct PairedOptions {
  int64_t sample_nanos = 2'000'000;
  // `number` is a multiple of this.
  int64_t number_multiple = 1;
  // Of the order within the blocks.
  uint64_t seed = 0;
  // Called before each round, counted from 0, and once before anything is run,
  // not timed. May be null.
  std::function<absl::Status(int64_t round)> begin_round;
  // Called before each sample, not timed: waits for what the last arm left
  // running. May be null.
  std::function<void()> settle;
};

class PairedSampler {
 public:
  // Two arms or more. The first is what the others are compared with.
  PairedSampler(std::vector<Arm> arms, PairedOptions options, Clock* clock);

  // One block more: a few rounds. The first error of a run ends it.
  // FailedPrecondition if a run takes no time.
  absl::Status RunBlock();

  int num_arms() const { return static_cast<int>(arms_.size()); }
  int64_t rounds() const;
  // Runs in a sample; 0 before the first block.
  int64_t number() const { return number_; }
  // All time spent so far, choosing the number and what is not timed included.
  int64_t spent_nanos() const { return spent_nanos_; }

  // Nanoseconds of one run, a mean per sample, by round.
  const std::vector<double>& samples_ns(int arm) const {
    return samples_ns_[arm];
  }
  // Of an arm against the first, by round, from round `from` on:
  // log(arm / first).
  std::vector<double> LogRatios(int arm, int64_t from = 0) const;

 private:
  absl::Status BeginRound();
  absl::Status ChooseNumber();
  absl::StatusOr<int64_t> Run(int arm, int64_t number);

  const std::vector<Arm> arms_;
  const PairedOptions options_;
  Clock* const clock_;
  int64_t number_ = 0;
  int64_t blocks_ = 0;
  int64_t spent_nanos_ = 0;
  std::vector<std::vector<double>> samples_ns_;
};

// Seconds of a sampler: its own, and what others left, which is taken only if
// that is likely to be enough for a verdict.
struct TimeBudget {
  double own_s = 0;
  double more_s = 0;
};

// Blocks of a new sampler of two arms until the verdict on the second is final,
// or the budget is spent.
absl::StatusOr<stats::PairedVerdict> RunToVerdict(
    PairedSampler& sampler, const stats::PairedOptions& options,
    const TimeBudget& budget);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_PAIRED_SAMPLER_H_
