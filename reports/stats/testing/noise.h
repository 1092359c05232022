// NoiseSource: generates synthetic measurement noise. The noise is used in
// tests of the statistics and for the choice of their parameters.
//
// The model describes samples of about 2 ms on a shared virtual machine. The
// logarithm of a measured time is
//   x_t = level + core + drift + burst + interruption
// where `level` is the logarithm of the undisturbed time of the program, and
//   core          is normally distributed: the noise of an undisturbed run;
//   drift         is an AR(1) process: if its autocorrelation is close to 1, it
//                 changes slowly, over seconds, like the clock rate; if the
//                 autocorrelation is smaller, it changes from sample to sample;
//   burst         is intermittent background load: while a burst is active, the
//                 term is a constant plus an exponentially distributed value,
//                 otherwise it is 0;
//   interruption  is an exponentially distributed value with some probability,
//                 otherwise 0.
// The measured time is exp(x_t), rounded to ticks if the clock is coarse. The
// noise does not depend on the program that is measured.
#ifndef ASSAY_REPORTS_STATS_TESTING_NOISE_H_
#define ASSAY_REPORTS_STATS_TESTING_NOISE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reports/stats/paired_judge.h"
#include "runtime/base/random.h"

namespace assay::stats {

// Parameters of the noise. All magnitudes are differences of logarithms, i.e.
// approximately fractions of the undisturbed time.
struct Noise {
  std::string name;
  double core = 0;  // standard deviation
  struct Drift {
    double sigma = 0;   // standard deviation of the process
    double memory = 0;  // lag-1 autocorrelation of the process
  } drift;
  struct Burst {
    double share = 0;    // fraction of the samples that fall into bursts
    double samples = 1;  // mean length of a burst in samples
    double fixed = 0;    // constant part of the term
    double scatter = 0;  // mean of the exponentially distributed part
  } burst;
  struct Interruption {
    double rate = 0;  // probability that a sample is interrupted
    double mean = 0;  // mean of the exponentially distributed value
  } interruption;
  // A term that is added to the second sample of every round.
  double second_place = 0;
  // Clock resolution as a fraction of the undisturbed time of a program with
  // level 0; 0 for an exact clock.
  double tick = 0;
  // Standard deviation of the effect of the addresses of a program, which is
  // drawn for each program at each load.
  double placement = 0;
};

// Returns all kinds of noise. `quiet` and `noisy` are fitted to the variance
// and the spectrum that were measured on a virtual machine with two cores:
// `quiet` without background load, `noisy` with background load at a duty cycle
// of 25 %. Each of the remaining kinds exaggerates one or two disturbances.
std::vector<Noise> AllNoises();
// Returns the noise with the given name. CHECK-fails if there is no such noise.
Noise NoiseOf(const std::string& name);

class NoiseSource {
 public:
  NoiseSource(const Noise& noise, uint64_t seed);
  // Returns the logarithm of the next measured time of a program with the
  // undisturbed time exp(level). `second_in_round` states whether this is the
  // second sample of a round.
  double Next(double level, bool second_in_round);

 private:
  double Exponential(double mean);

  Noise noise_;
  Rng rng_;
  double drift_;
  bool burst_ = false;
};

// Generates the observations of suites/comparison/paired_loads.h for programs
// with a single kernel call: the log ratios of the fastest and of the median
// times of the two programs in the rounds of a load, which are measured in the
// order of BlockDesign(). The undisturbed time of the new program is 1 + change
// times the undisturbed time of the base.
class LoadSource {
 public:
  // `rounds_per_load` must be even.
  LoadSource(const Noise& noise, double change, int64_t rounds_per_load,
             uint64_t seed);
  // Returns the observations of the next load.
  LoadRatios Next();

 private:
  NoiseSource source_;
  const double placement_;
  const double change_;  // log ratio
  const int64_t rounds_per_load_;
  const uint64_t seed_;
  Rng addresses_;
  int64_t block_ = 0;
};

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_TESTING_NOISE_H_
