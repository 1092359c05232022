// Synthetic times of programs on a machine that is not quiet, for testing
// statistics and for choosing their parameters.
//
// The model is that of a shared virtual machine, one time per sample of about
// 2 ms, as a logarithm:
//   x_t = core + drift + burst + interruption
//   core          normal, the scatter of a run that nothing disturbs
//   drift         AR(1), a level that wanders: over seconds (clock rate, heat)
//                 or, with a smaller memory, from sample to sample
//   burst         a neighbour that comes and goes; while it is there, samples
//                 take longer by a fixed and an exponentially distributed part
//   interruption  with some probability, an exponentially distributed part
// and the time is exp(x_t), in ticks of the clock if that is coarse. The noise
// knows nothing of the program that is measured: two that are the same differ
// by the time at which they were measured, and by nothing else.
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
    double memory = 0;  // correlation of the levels of two samples in turn
  } drift;
  struct Burst {
    double share = 0;    // of the time
    double samples = 1;  // mean length
    double fixed = 0;
    double scatter = 0;
  } burst;
  struct Interruption {
    double rate = 0;
    double mean = 0;
  } interruption;
  // Every second sample of a round takes longer by so much, whoever it is.
  double second_place = 0;
  // Of the median time; 0 for a clock that is exact.
  double tick = 0;
};

// `quiet` and `noisy` have the scatter and the power of the two regimes that
// were measured on a virtual machine with two cores, idle and with neighbours
// at 25 % duty; the others exaggerate one trouble each.
std::vector<Noise> AllNoises();
// CHECK-fails if there is none of that name.
Noise NoiseOf(const std::string& name);

class NoiseSource {
 public:
  NoiseSource(const Noise& noise, uint64_t seed);
  // log of the time of the next sample of a program whose time is exp(level).
  double Next(double level, bool second_in_round);

 private:
  double Exponential(double mean);

  Noise noise_;
  Rng rng_;
  double drift_;
  bool burst_ = false;
};

// log(new / base) of pairs measured in the order of BlockDesign(). The new
// program takes 1 + change times as long.
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
