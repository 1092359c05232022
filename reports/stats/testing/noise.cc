#include "reports/stats/testing/noise.h"

#include <cmath>

#include "reports/stats/block_design.h"
#include "runtime/base/check.h"

namespace assay::stats {

std::vector<Noise> AllNoises() {
  std::vector<Noise> all(6);
  Noise& quiet = all[0];
  quiet.name = "quiet";
  quiet.core = 0.022;
  quiet.drift = 0.045;
  quiet.drift_memory = 0.999;
  quiet.interruption_rate = 0.15;
  quiet.interruption_mean = 0.12;

  Noise& noisy = all[1];
  noisy.name = "noisy";
  noisy.core = 0.0165;
  noisy.drift = 0.03;
  noisy.drift_memory = 0.999;
  noisy.burst_share = 0.25;
  noisy.burst_samples = 30;
  noisy.burst_fixed = 0.15;
  noisy.burst_scatter = 0.1;
  noisy.interruption_rate = 0.1;
  noisy.interruption_mean = 0.1;

  // Every third sample is hit, some many times over.
  Noise& heavy = all[2];
  heavy.name = "heavy_tails";
  heavy.core = 0.02;
  heavy.interruption_rate = 0.35;
  heavy.interruption_mean = 0.6;

  // The level wanders as fast as the programs take turns.
  Noise& wandering = all[3];
  wandering.name = "autocorrelated";
  wandering.core = 0.015;
  wandering.drift = 0.04;
  wandering.drift_memory = 0.7;

  // Bursts about as long as a block, and a place that is always slow.
  Noise& bursts = all[4];
  bursts.name = "bursts";
  bursts.core = 0.02;
  bursts.burst_share = 0.4;
  bursts.burst_samples = 4;
  bursts.burst_fixed = 0.2;
  bursts.burst_scatter = 0.1;
  bursts.second_place = 0.02;

  Noise& coarse = all[5];
  coarse.name = "coarse_clock";
  coarse.core = 0.02;
  coarse.tick = 0.02;
  return all;
}

Noise NoiseOf(const std::string& name) {
  for (const Noise& noise : AllNoises()) {
    if (noise.name == name) return noise;
  }
  CHECK(false) << "no noise is called `" << name << "`";
  return {};
}

NoiseSource::NoiseSource(const Noise& noise, uint64_t seed)
    : noise_(noise), rng_(seed) {
  drift_ = noise_.drift * rng_.NormalFloat(0, 1);
  burst_ = rng_.UniformFloat(0, 1) < noise_.burst_share;
}

double NoiseSource::Exponential(double mean) {
  return -mean * std::log1p(-rng_.UniformFloat(0, 0.9999999f));
}

double NoiseSource::Next(double level, bool second_in_round) {
  const double rho = noise_.drift_memory;
  drift_ = rho * drift_ +
           std::sqrt(1 - rho * rho) * noise_.drift * rng_.NormalFloat(0, 1);
  // Leaving a burst after `burst_samples`, and entering so often that the share
  // of time comes out.
  const double leave = 1 / noise_.burst_samples;
  const double enter = leave * noise_.burst_share / (1 - noise_.burst_share);
  if (rng_.UniformFloat(0, 1) < (burst_ ? leave : enter)) burst_ = !burst_;

  double x = level + drift_ + noise_.core * rng_.NormalFloat(0, 1);
  if (burst_ && noise_.burst_share > 0) {
    x += noise_.burst_fixed + Exponential(noise_.burst_scatter);
  }
  if (rng_.UniformFloat(0, 1) < noise_.interruption_rate) {
    x += Exponential(noise_.interruption_mean);
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

std::pair<double, double> PairSource::NextBlock() {
  constexpr int kNew = 1;
  base_.clear();
  double ratios[2];
  int round = 0;
  for (const std::vector<int>& order : BlockDesign(2, seed_, block_++)) {
    double times[2];
    for (int place = 0; place < 2; ++place) {
      const int arm = order[static_cast<size_t>(place)];
      times[arm] = source_.Next(arm == kNew ? level_ : 0, place == 1);
    }
    base_.push_back(times[0]);
    ratios[round++] = times[kNew] - times[0];
  }
  return {ratios[0], ratios[1]};
}

}  // namespace assay::stats
