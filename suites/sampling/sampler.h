// Sampler: measures several programs that do the same work, the contenders, in
// alternation, so that a disturbance of the machine affects all of them alike.
//
// Two programs that are timed one after the other run under different
// conditions: clock rates, other processes and caches change by more from one
// second to the next than the difference of interest. Alternating samples see
// the same conditions, so that the ratio of two of them is meaningful even if
// neither time is.
//
// Samples come in rounds, one of each contender. The order within the rounds of
// a block is balanced (stats::BlockDesign) and drawn anew for every block. The
// number of runs in a sample is given, or chosen before the first round so that
// a sample takes about `sample_nanos`: short, because the machine changes, and
// long compared to the resolution of the clock. Each sample follows an untimed
// run, so that every contender finds the caches in the state that it leaves
// them in itself.
//
//   Sampler sampler({{"base", session, 0}, {"run", session, 1}}, options,
//                   Clock::Monotonic());
//   ASSAY_RETURN_IF_ERROR(sampler.RunRounds(30));
//   Use(sampler.samples_ns(0));
#ifndef ASSAY_SUITES_SAMPLING_SAMPLER_H_
#define ASSAY_SUITES_SAMPLING_SAMPLER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/base/clock.h"
#include "runtime/measure/session.h"

namespace assay::suites {

struct Contender {
  std::string name;
  runtime::Session* session = nullptr;  // outlives the sampler
  int program = 0;
  // Relative amount of additional work: each sample runs the program
  // number * (1 + extra_work) times and counts as `number` runs. This makes a
  // program slower by a known share, with real work through the same code and
  // memory. Exact if number * extra_work is an integer.
  double extra_work = 0;
};

struct SamplingOptions {
  // Runs per sample; if 0, chosen so that a sample takes about `sample_nanos`.
  int64_t number = 0;
  int64_t sample_nanos = 2'000'000;
  // A chosen number is a multiple of this.
  int64_t number_multiple = 1;
  // If true, all contenders have the number that is chosen for the first.
  bool same_number = true;
  // As in runtime::Block.
  int64_t min_sample_nanos = 0;
  int64_t cooldown_nanos = 0;
  // Samples of fewer runs have no warm-up, which would take too large a part of
  // the time.
  int64_t min_number_for_warmup = 8;
  // Runs of warm-up before the first sample of each contender, and the minimum
  // duration of warm-up before every sample, to wake up sleeping threads.
  int64_t first_warmup_runs = 1;
  int64_t warmup_nanos = 0;
  // Seed of the order of samples.
  uint64_t seed = 0;
  // Called before each round, counted from 0, and once before anything runs;
  // not timed. May be null.
  std::function<absl::Status(int64_t round)> begin_round;
  // Called before each sample, not timed: waits for what the previous contender
  // left running. May be null.
  std::function<void()> settle;
};

class Sampler {
 public:
  // Requires at least one contender. The others are compared with the first.
  Sampler(std::vector<Contender> contenders, SamplingOptions options,
          Clock* clock);

  // Runs one more block of a few rounds. Stops at the first error.
  absl::Status RunBlock();
  // Runs blocks until there are `rounds` rounds; the last block may be cut.
  absl::Status RunRounds(int64_t rounds);

  int num_contenders() const { return static_cast<int>(contenders_.size()); }
  int64_t rounds() const { return static_cast<int64_t>(samples_ns_[0].size()); }
  // Runs in a sample; 0 before the first block.
  int64_t number(int contender) const { return numbers_[contender]; }
  // Total time so far, including warm-up and the choice of the number.
  int64_t spent_nanos() const { return spent_nanos_; }

  // Nanoseconds per run, averaged over each sample; indexed by round.
  const std::vector<double>& samples_ns(int contender) const {
    return samples_ns_[contender];
  }
  // log(contender / first contender) by round, from round `from` on.
  std::vector<double> LogRatios(int contender, int64_t from = 0) const;

 private:
  absl::Status Start();
  absl::StatusOr<int64_t> ChooseNumber(int contender);
  absl::Status RunRound(absl::Span<const int> order);
  absl::Status TakeSamples(absl::Span<const int> contenders);
  runtime::SampleSpec SpecOf(int contender) const;

  const std::vector<Contender> contenders_;
  const SamplingOptions options_;
  Clock* const clock_;
  std::vector<int64_t> numbers_;
  int64_t blocks_ = 0;
  int64_t spent_nanos_ = 0;
  std::vector<std::vector<double>> samples_ns_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SAMPLING_SAMPLER_H_
