#include "reports/stats/testing/noise.h"

#include <cmath>

#include "reports/stats/block_design.h"
#include "runtime/base/check.h"

namespace assay::stats {

std::vector<Noise> AllNoises() {
  return {
      {"quiet", 0.022, {0.045, 0.999}, {}, {0.15, 0.12}},
      {"noisy", 0.0165, {0.03, 0.999}, {0.25, 30, 0.15, 0.1}, {0.1, 0.1}},
      // Interrupts every third sample, some for a multiple of their time.
      {"heavy_tails", 0.02, {}, {}, {0.35, 0.6}},
      // The drift is as fast as the programs alternate.
      {"autocorrelated", 0.015, {0.04, 0.7}, {}, {}},
      // Bursts as long as a block, and a bias against the second position.
      {"bursts", 0.02, {}, {0.4, 4, 0.2, 0.1}, {}, /*second_place=*/0.02},
      {"coarse_clock", 0.02, {}, {}, {}, /*second_place=*/0, /*tick=*/0.02},
  };
}

Noise NoiseOf(const std::string& name) {
  for (const Noise& noise : AllNoises()) {
    if (noise.name == name) return noise;
  }
  CHECK(false) << "there is no noise `" << name << "`";
  return {};
}

NoiseSource::NoiseSource(const Noise& noise, uint64_t seed)
    : noise_(noise), rng_(seed) {
  drift_ = noise_.drift.sigma * rng_.NormalFloat(0, 1);
  burst_ = rng_.UniformFloat(0, 1) < noise_.burst.share;
}

double NoiseSource::Exponential(double mean) {
  return -mean * std::log1p(-rng_.UniformFloat(0, 0.9999999f));
}

double NoiseSource::Next(double level, bool second_in_round) {
  const auto& [sigma, memory] = noise_.drift;
  drift_ = memory * drift_ +
           std::sqrt(1 - memory * memory) * sigma * rng_.NormalFloat(0, 1);
  // Transition probabilities of the two-state Markov chain for the given mean
  // burst length and fraction of time.
  const Noise::Burst& burst = noise_.burst;
  const double leave = 1 / burst.samples;
  const double enter = leave * burst.share / (1 - burst.share);
  if (rng_.UniformFloat(0, 1) < (burst_ ? leave : enter)) burst_ = !burst_;

  double x = level + drift_ + noise_.core * rng_.NormalFloat(0, 1);
  if (burst_) x += burst.fixed + Exponential(burst.scatter);
  if (rng_.UniformFloat(0, 1) < noise_.interruption.rate) {
    x += Exponential(noise_.interruption.mean);
  }
  if (second_in_round) x += noise_.second_place;
  if (noise_.tick > 0) {
    x = std::log(noise_.tick * std::round(std::exp(x) / noise_.tick));
  }
  return x;
}

PairSource::PairSource(const Noise& noise, double change, uint64_t seed)
    : source_(noise, seed),
      level_(std::log1p(change)),
      seed_(SeedFor(seed, "order")) {}

std::array<double, 2> PairSource::NextBlock() {
  constexpr int kNew = 1;
  std::array<double, 2> ratios = {};
  size_t round = 0;
  for (const std::vector<int>& order : BlockDesign(2, seed_, block_++)) {
    double times[2];
    for (int place = 0; place < 2; ++place) {
      const int program = order[static_cast<size_t>(place)];
      times[program] = source_.Next(program == kNew ? level_ : 0, place == 1);
    }
    ratios[round++] = times[kNew] - times[0];
  }
  return ratios;
}

}  // namespace assay::stats
