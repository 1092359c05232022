// PairedLoads: compares the speed of two programs, called `base` and `run`,
// over several loads.
//
// In each load, both programs are loaded at new random addresses, in random
// order, and are measured in alternation (suites/sampling/sampler.h). Each
// sample is one run, timed kernel call by kernel call. The result of a load is
// the time of each program's fastest inference: for each input, the sum over
// its kernel calls of the fastest time of the call in this load, averaged over
// the inputs. The observation of the load is log(t_run / t_base), where t_run
// and t_base are these times of the two programs.
//
// Disturbances make a run longer and hardly ever shorter. On a machine with
// neighbours, nearly every inference is disturbed, but a kernel call takes so
// little time that it is undisturbed in one of a few runs. If runs are
// shorter than kMinRunNanos, or if one of the two programs cannot be timed by
// call (ProgramPair::by_call), both programs are measured in samples of several
// runs instead.
//
// A process that is measured in turns with another one has slept before each
// sample. It wakes up on a processor that may be slow to start, with caches
// that hold the data of the other process. Therefore an untimed run precedes
// each sample of programs in two processes, even if one run takes long.
//
// If both programs are the same, the observation of each load is above and
// below 0 with equal probability, whatever the noise of the machine and
// whatever the earlier loads were: within a load, everything that distinguishes
// the two programs (which one is loaded first, the addresses, the order within
// each block) is random, with the same distribution for both. This makes the
// sign tests of reports/stats exact. It also means that a difference that is
// due to addresses changes from load to load and cannot look like a change of
// the program.
//
// If only some kernel calls of the programs are judged (JudgedCalls), t_run is
// t_base, less the time of these calls in `base`, plus their time in `run`, and
// the second observation is equal to the first. A change of one kernel is then
// measured beside the noise of this kernel, not of the whole inference.
//
// The fastest inference does not show a change that affects only some runs,
// such as a lock that is sometimes contended. Therefore each load has a second
// observation, log(t_run / t_base) of the typical inference, i.e. of the median
// time of one execution of the program.
//
// A first load determines the number of runs per sample and is not counted.
// Source: Chen and Revels, "Robust benchmarking in noisy environments", 2016
// (why the fastest time).
#ifndef ASSAY_SUITES_COMPARISON_PAIRED_LOADS_H_
#define ASSAY_SUITES_COMPARISON_PAIRED_LOADS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/stats/paired_judge.h"
#include "runtime/base/clock.h"
#include "suites/comparison/load_in_order.h"
#include "suites/sampling/sampler.h"

namespace assay::suites {

// Two programs of one model that are compared, freshly loaded. The speed of a
// program depends on the addresses of its code and data by up to a few percent.
// A program that is loaded once has one draw of these addresses for all its
// samples, so a comparison must load both programs several times.
struct ProgramPair {
  Contender base;
  Contender run;
  // Called before each round of samples; sets the inputs of the round. May be
  // null.
  std::function<absl::Status(int64_t round)> begin_round;
  // Number of different inputs that begin_round() sets in turn: rounds with the
  // same index modulo `inputs` have the same input.
  int64_t inputs = 1;
  // True if the runs of both programs are timed kernel call by kernel call.
  bool by_call = true;
  // 2 if each program has a process of its own.
  int processes = 1;
  // Keeps the sessions of both programs alive.
  std::shared_ptr<const void> owner;
};

// Loads both programs.
using PairLoader =
    std::function<absl::StatusOr<ProgramPair>(const PairPlacement&)>;

// Minimum duration of a run that is measured by kernel call, which is long
// compared with the time that it takes to read the clock.
constexpr int64_t kMinRunNanos = 100'000;
// A load has kRoundsPerInput rounds for each input, or, if only some kernel
// calls are judged, kRoundsPerInputOfCalls: a few calls are more often
// undisturbed than all calls of an inference. The number of rounds is doubled
// while the second half of the rounds makes the fastest time of what is judged
// of either program shorter by more than kStability. It does not exceed
// kMaxRoundsPerInput, and a load does not take much more than kMaxLoadNanos.
constexpr int64_t kRoundsPerInput = 4;
constexpr int64_t kRoundsPerInputOfCalls = 2;
constexpr int64_t kMaxRoundsPerInput = 64;
constexpr int64_t kMaxLoadNanos = 1'000'000'000;
constexpr double kStability = 0.02;

// The kernel calls that are judged, as indices into the calls of each program.
// The others are taken to need the same time in both, as kernels with the same
// machine code do. If both lists are empty, whole inferences are judged.
struct JudgedCalls {
  std::vector<int64_t> base;
  std::vector<int64_t> run;

  bool whole() const { return base.empty() && run.empty(); }
};

class PairedLoads {
 public:
  // One program in one load.
  struct Times {
    double fastest_ns = 0;
    double typical_ns = 0;
    // The time of the judged calls in the fastest inference.
    double judged_ns = 0;
    // Fastest time of each kernel call, which add up to `fastest_ns`; empty if
    // the program is not measured by call.
    std::vector<double> call_ns;
    // The time of each inference; empty if samples have several of them.
    std::vector<double> inference_ns;
  };
  struct Load {
    Times base, run;
    bool whole = true;  // whole inferences are judged
    // The time of the fastest inference of `run`, or that which it has because
    // of the judged calls.
    double RunNanos() const;
    stats::LoadRatios Ratios() const;
  };

  // `sampling.begin_round` and `sampling.time_calls` are replaced by those of
  // each pair, and `sampling.seed` is the seed of everything that is drawn.
  PairedLoads(PairLoader loader, SamplingOptions sampling, Clock* clock,
              JudgedCalls judged = {});

  // Loads both programs and measures them. Returns the first error, and
  // Unimplemented if calls are judged but cannot be timed.
  absl::Status RunLoad();

  const std::vector<Load>& loads() const { return loads_; }
  // Number of rounds of all loads.
  int64_t rounds() const { return rounds_; }
  // Total time so far, including loading.
  int64_t spent_nanos() const { return spent_nanos_; }

 private:
  absl::Status ChooseNumber();

  const PairLoader loader_;
  SamplingOptions sampling_;
  Clock* const clock_;
  const JudgedCalls judged_;
  std::vector<Load> loads_;
  int64_t rounds_ = 0;
  int64_t spent_nanos_ = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_PAIRED_LOADS_H_
