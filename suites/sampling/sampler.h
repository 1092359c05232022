// Sampler: measures several programs that do the same work (contenders) in
// alternation, so that disturbances of the machine affect all contenders
// equally.
//
// If two programs are timed one after the other, they run under different
// conditions: from one second to the next, the clock rate, the other processes
// and the contents of the caches change. These changes affect the time by more
// than the difference of interest. If samples of two programs alternate, the
// conditions are nearly equal. Therefore the ratio of two neighboring samples
// is meaningful even if the time of each sample is not.
//
// A round takes one sample of each contender; a block is a few rounds (a
// runtime::Block is something else: a request for samples to a session). The
// order of contenders within a block is balanced and random
// (stats::BlockDesign). The number of runs per sample is either given or chosen
// before the first round, so that a sample takes about `sample_nanos`. The time
// of a sample should be short, because the conditions change, but long compared
// to the resolution of the clock. An untimed run precedes each sample, unless
// the sample has only few runs. The untimed run brings the caches into the
// state in which the contender leaves them.
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
  runtime::Session* session = nullptr;  // must outlive the sampler
  int program = 0;
  // Relative amount of additional work. Each sample runs the program
  // number * (1 + extra_work) times, rounded to an integer, but counts as
  // `number` runs. The program thus becomes slower by a known factor, because
  // it really does more work with the same code and memory.
  double extra_work = 0;
};

struct SamplingOptions {
  // Number of runs per sample. If it is 0, the sampler chooses a number so that
  // a sample takes about `sample_nanos`.
  int64_t number = 0;
  int64_t sample_nanos = 2'000'000;
  // A number that the sampler chooses is a multiple of `number_multiple`.
  int64_t number_multiple = 1;
  // If true, the number that is chosen for the first contender is used for all
  // contenders. If false, a number is chosen for each contender.
  bool same_number = true;
  // The fields of runtime::Block with the same names.
  int64_t min_sample_nanos = 0;
  int64_t cooldown_nanos = 0;
  // Minimum number of runs per sample for which an untimed run precedes each
  // sample. For fewer runs, the untimed run would take too large a part of the
  // total time.
  int64_t min_number_for_warmup = 8;
  // As runtime::Block::time_calls.
  bool time_calls = false;
  // Number of untimed runs of each contender at the start.
  int64_t first_warmup_runs = 1;
  // Minimum duration of the untimed runs before every sample. They wake up
  // sleeping threads.
  int64_t warmup_nanos = 0;
  // Seed of the order of samples.
  uint64_t seed = 0;
  // Called, untimed, before each round with the index of the round, starting
  // at 0. If the sampler chooses numbers of runs, begin_round(0) is also called
  // before the first run. May be null.
  std::function<absl::Status(int64_t round)> begin_round;
  // Called, untimed, before each sample. It should wait until the threads of
  // the previous contender are idle. May be null.
  std::function<void()> settle;
};

// Returns the specification of a sample of program 0 with `number` runs, with
// the warm-up that the sampler requests for all samples of a contender except
// the first one.
runtime::SampleSpec UsualSample(const SamplingOptions& options, int64_t number);

class Sampler {
 public:
  // Requires at least one contender. `clock` must outlive this object.
  Sampler(std::vector<Contender> contenders, SamplingOptions options,
          Clock* clock);

  // Runs one more block of a few rounds. Returns the first error.
  absl::Status RunBlock();
  // Runs blocks until rounds() is `rounds`. The last block may be incomplete.
  absl::Status RunRounds(int64_t rounds);

  int num_contenders() const { return static_cast<int>(contenders_.size()); }
  int64_t rounds() const { return static_cast<int64_t>(samples_ns_[0].size()); }
  // Number of runs per sample of a contender; 0 if it is not chosen yet.
  int64_t number(int contender) const { return numbers_[contender]; }
  // Total time of all blocks so far, including untimed runs and the choice of
  // the number of runs.
  int64_t spent_nanos() const { return spent_nanos_; }

  // Nanoseconds per run, averaged over each sample; indexed by round.
  const std::vector<double>& samples_ns(int contender) const {
    return samples_ns_[contender];
  }
  // runtime::Sample::call_nanos of each sample; indexed by round.
  const std::vector<std::vector<int64_t>>& call_nanos(int contender) const {
    return call_nanos_[contender];
  }

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
  std::vector<std::vector<std::vector<int64_t>>> call_nanos_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SAMPLING_SAMPLER_H_
