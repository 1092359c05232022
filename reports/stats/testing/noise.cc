#include "reports/stats/testing/noise.h"

#include <algorithm>
#include <cmath>

#include "reports/stats/block_design.h"
#include "reports/stats/summary.h"
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
      // A neighbour that is active for one to five samples at a time and makes
      // them 30 % longer.
      {"bursts_of_1", 0.02, {}, {0.4, 1.67, 0.26, 0}, {}},
      {"bursts_of_2", 0.02, {}, {0.5, 2, 0.26, 0}, {}},
      {"bursts_of_3", 0.02, {}, {0.5, 3, 0.26, 0}, {}},
      {"bursts_of_5", 0.02, {}, {0.5, 5, 0.26, 0}, {}},
      {"coarse_clock", 0.02, {}, {}, {}, /*second_place=*/0, /*tick=*/0.02},
      {"placement", 0.022, {}, {}, {0.15, 0.12}, 0, 0, /*placement=*/0.01},
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

LoadSource::LoadSource(const Noise& noise, double change,
                       int64_t rounds_per_load, uint64_t seed)
    : source_(noise, seed),
      placement_(noise.placement),
      change_(std::log1p(change)),
      rounds_per_load_(rounds_per_load),
      seed_(SeedFor(seed, "order")),
      addresses_(SeedFor(seed, "addresses")) {}

LoadRatios LoadSource::Next() {
  double levels[2] = {0, change_};
  for (double& level : levels)
    level += placement_ * addresses_.NormalFloat(0, 1);
  std::vector<double> times[2];
  while (static_cast<int64_t>(times[0].size()) < rounds_per_load_) {
    for (const std::vector<int>& order : BlockDesign(2, seed_, block_++)) {
      for (int place = 0; place < 2; ++place) {
        const auto program =
            static_cast<size_t>(order[static_cast<size_t>(place)]);
        times[program].push_back(source_.Next(levels[program], place == 1));
      }
    }
  }
  const auto fastest = [](const std::vector<double>& logs) {
    return *std::min_element(logs.begin(), logs.end());
  };
  return {fastest(times[1]) - fastest(times[0]),
          Percentile(times[1], 50) - Percentile(times[0], 50)};
}

}  // namespace assay::stats
