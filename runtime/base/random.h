// Rng: seeded numbers that are the same bits on every machine and compiler,
// for weights, inputs and fuzz tests. Not for secrets.
//
// The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", 2014): a 64-bit counter and a mixing
// function, period 2^64. Floats are made from its integers by conversions and
// products that are exact in double, followed by one rounding, so neither a
// fused multiply-add nor the maths library can change a bit;
// std::normal_distribution and its kin promise no such thing.
//
//   Rng rng(42);
//   NDArray weights(DType::Float32(), {64, 3, 7, 7});
//   rng.FillNormal(weights, 0.0f, 0.05f);
//
// Streams that must not depend on one another (one per tensor, say) take
// seeds derived with SeedFor(seed, name).
#ifndef ASSAY_RUNTIME_BASE_RANDOM_H_
#define ASSAY_RUNTIME_BASE_RANDOM_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "runtime/base/ndarray.h"

namespace assay {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  // All 2^64 values, equally likely.
  uint64_t NextU64();
  // Equally likely values in [lo, hi], both inclusive; lo <= hi.
  int64_t UniformInt(int64_t lo, int64_t hi);
  // 2^24 equally spaced values from lo to just below hi; after rounding to
  // float hi itself can occur. Finite bounds, lo <= hi.
  float UniformFloat(float lo, float hi);
  // Approximately normal: the sum of twelve 16-bit uniforms (Irwin-Hall),
  // scaled to the given standard deviation; never further than six of them
  // from the mean.
  float NormalFloat(float mean, float stddev);

  // Fills every element in row-major order. Floats of all widths are drawn
  // as float32 and then rounded to nearest even; integers take the whole
  // numbers in [lo, hi], clipped to their type; bool takes 0 or 1 evenly.
  void FillUniform(NDArray& array, float lo, float hi);
  // Float types only.
  void FillNormal(NDArray& array, float mean, float stddev);

 private:
  uint64_t state_;
};

// A seed that depends on both arguments.
uint64_t SeedFor(uint64_t seed, absl::string_view name);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_RANDOM_H_
