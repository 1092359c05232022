// Rng: a seeded pseudorandom number generator whose results are bit-identical
// on every platform and compiler, for weights, inputs and fuzz tests. It is not
// cryptographically secure.
//
// The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", OOPSLA 2014): a 64-bit counter and a mixing
// function, with period 2^64. Floats are derived from its integers by
// conversions and products that are exact in double precision, followed by one
// rounding, so neither FMA contraction nor the maths library can change the
// result. The distributions of the C++ standard library give no such guarantee.
//
//   Rng rng(42);
//   NDArray weights(DType::Float32(), {64, 3, 7, 7});
//   rng.FillNormal(weights, 0.0f, 0.05f);
//
// Independent streams, for example one per tensor, are seeded with
// SeedFor(seed, name).
#ifndef ASSAY_RUNTIME_BASE_RANDOM_H_
#define ASSAY_RUNTIME_BASE_RANDOM_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "runtime/base/ndarray.h"

namespace assay {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  // Uniform over all 2^64 values.
  uint64_t NextU64();
  // Uniform over the integers in [lo, hi]; requires lo <= hi.
  int64_t UniformInt(int64_t lo, int64_t hi);
  // Uniform over 2^24 equally spaced values in [lo, hi); rounding to float can
  // yield hi itself. Requires finite bounds and lo <= hi.
  float UniformFloat(float lo, float hi);
  // Approximately normal: the sum of twelve 16-bit uniform variates
  // (Irwin-Hall), scaled to the given standard deviation. The result is within
  // six standard deviations of the mean.
  float NormalFloat(float mean, float stddev);

  // Fills the array in row-major order. Floats of all widths are drawn as
  // float32 and then rounded to nearest even; integers are uniform over the
  // integers in [lo, hi], clamped to their type; bools are fair coin flips.
  void FillUniform(NDArray& array, float lo, float hi);
  // Requires a float type.
  void FillNormal(NDArray& array, float mean, float stddev);

 private:
  uint64_t state_;
};

// Derives a seed from `seed` and `name`.
uint64_t SeedFor(uint64_t seed, absl::string_view name);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_RANDOM_H_
