// Synthetic measurement noise, for tests of the statistics and for the choice
// of their parameters.
//
// The model is a shared virtual machine. The logarithm of one measured time, of
// a sample of about 2 ms, is
//   x_t = core + drift + burst + interruption
//   core          normal: the noise of an undisturbed run
//   drift         AR(1): a level that drifts over seconds (clock rate, heat)
//                 or, with a smaller memory, from sample to sample
//   burst         intermittent background load: while it is active, samples
//                 take longer by a fixed plus an exponentially distributed time
//   interruption  with some probability, an exponentially distributed time
// and the time is exp(x_t), rounded to ticks of a coarse clock. The noise does
// not depend on the program that is measured: two identical programs differ
// only by the time at which they are measured.
#ifndef ASSAY_REPORTS_STATS_TESTING_NOISE_H_
#define ASSAY_REPORTS_STATS_TESTING_NOISE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/random.h"

namespace assay::stats {

struct Noise {
  std::string name;
  double core = 0;
  struct Drift {
    double sigma = 0;   // standard deviation of the level
    double memory = 0;  // lag-1 autocorrelation of the level
  } drift;
  struct Burst {
    double share = 0;    // fraction of the time
    double samples = 1;  // mean length in samples
    double fixed = 0;
    double scatter = 0;
  } burst;
  struct Interruption {
    double rate = 0;
    double mean = 0;
  } interruption;
  // Extra time of the second sample of every round.
  double second_place = 0;
  // Clock resolution as a fraction of the median time; 0 for an exact clock.
  double tick = 0;
};

// `quiet` and `noisy` are fitted to the variance and spectrum measured on a
// virtual machine with two cores, idle and with background load at a duty cycle
// of 25 %. Each of the others exaggerates one disturbance.
std::vector<Noise> AllNoises();
// CHECK-fails if there is no such noise.
Noise NoiseOf(const std::string& name);

class NoiseSource {
 public:
  NoiseSource(const Noise& noise, uint64_t seed);
  // Returns the logarithm of the next measured time of a program whose
  // undisturbed time is exp(level).
  double Next(double level, bool second_in_round);

 private:
  double Exponential(double mean);

  Noise noise_;
  Rng rng_;
  double drift_;
  bool burst_ = false;
};

// Samples log(new / base) of pairs in the order of BlockDesign(). The time of
// the new program is 1 + change times that of the base.
class PairSource {
 public:
  PairSource(const Noise& noise, double change, uint64_t seed);
  std::array<double, 2> NextBlock();

 private:
  NoiseSource source_;
  double level_;
  uint64_t seed_;
  int64_t block_ = 0;
};

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_TESTING_NOISE_H_
