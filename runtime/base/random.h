// Rng: a seeded pseudorandom number generator for weights, inputs and fuzz
// tests. Its results are bit-identical on every platform and with every
// compiler. It is not cryptographically secure.
//
// The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", OOPSLA 2014): a 64-bit counter and a mixing
// function, with period 2^64. A float is computed in double precision from
// integers of the generator: all conversions and products are exact, and only
// the final addition and the conversion to float round. Neither FMA contraction
// nor the maths library can therefore change the result. The distributions of
// the C++ standard library do not guarantee this.
//
//   Rng rng(42);
//   NDArray weights(DType::Float32(), {64, 3, 7, 7});
//   rng.FillNormal(weights, 0.0f, 0.05f);
//
// For independent streams of numbers, for example one stream per tensor, seed
// one Rng per stream with SeedFor(seed, name).
#ifndef ASSAY_RUNTIME_BASE_RANDOM_H_
#define ASSAY_RUNTIME_BASE_RANDOM_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "runtime/base/ndarray.h"

namespace assay {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  // Returns an integer that is uniform over all 2^64 values.
  uint64_t NextU64();
  // Returns an integer that is uniform over [lo, hi]. CHECK-fails unless
  // lo <= hi.
  int64_t UniformInt(int64_t lo, int64_t hi);
  // Returns a value that is uniform over 2^24 equally spaced values in
  // [lo, hi); rounding to float can yield `hi` itself. CHECK-fails unless
  // hi - lo is finite and lo <= hi.
  float UniformFloat(float lo, float hi);
  // Returns an approximately normal value: the sum of twelve 16-bit uniform
  // variates (Irwin-Hall), shifted and scaled to the given mean and standard
  // deviation. The result is within six standard deviations of the mean.
  float NormalFloat(float mean, float stddev);

  // Fills the array in row-major order:
  //   - An element of a float type is a result of UniformFloat(lo, hi), rounded
  //     to nearest even in the element type.
  //   - An element of an integer type is uniform over the integers in [lo, hi].
  //     Both bounds are first clamped to the range of the type and of int64.
  //     CHECK-fails if there is no integer between the bounds.
  //   - A bool is true or false with equal probability; `lo` and `hi` are
  //     ignored.
  void FillUniform(NDArray& array, float lo, float hi);
  // Fills the array in row-major order with values of NormalFloat(), rounded to
  // the element type. CHECK-fails if the element type is not a float type.
  void FillNormal(NDArray& array, float mean, float stddev);

 private:
  uint64_t state_;
};

// Returns a seed that depends on `seed` and `name`.
uint64_t SeedFor(uint64_t seed, absl::string_view name);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_RANDOM_H_
