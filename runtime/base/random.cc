#include "runtime/base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/base/check.h"
#include "runtime/base/half.h"

namespace assay {
namespace {

// offset + scale * numerator / 2^log2_divisor. The product of a float (24-bit
// significand) and an integer of at most 24 bits is exact in double, so the
// addition rounds only once, with or without FMA contraction.
float Affine(float offset, float scale, int32_t numerator, int log2_divisor) {
  const double factor =
      std::ldexp(static_cast<double>(numerator), -log2_divisor);
  return static_cast<float>(static_cast<double>(offset) +
                            static_cast<double>(scale) * factor);
}

template <typename T, typename Draw>
void FillWith(NDArray& array, Draw draw) {
  T* const data = static_cast<T*>(array.raw());
  for (int64_t i = 0; i < array.num_elements(); ++i) data[i] = draw();
}

template <typename Draw>
void FillFloats(NDArray& array, Draw draw) {
  const DType dtype = array.dtype();
  if (dtype == DType::Float32()) return FillWith<float>(array, draw);
  if (dtype == DType::Float64()) return FillWith<double>(array, draw);
  if (dtype == DType::Float16()) {
    return FillWith<uint16_t>(array, [&] { return FloatToHalf(draw()); });
  }
  CHECK_EQ(dtype, DType::BFloat16());
  FillWith<uint16_t>(array, [&] { return FloatToBFloat16(draw()); });
}

template <typename T>
void FillIntegers(Rng& rng, NDArray& array, float lo, float hi) {
  // 2^63 is the smallest positive float beyond the range of int64_t. The range
  // of uint64_t is clamped to it, too.
  using Limits = std::numeric_limits<T>;
  const auto clip = [](float value) -> int64_t {
    if (value >= 0x1p63f) return std::numeric_limits<int64_t>::max();
    if (value <= -0x1p63f) return std::numeric_limits<int64_t>::min();
    return static_cast<int64_t>(value);
  };
  const int64_t least = static_cast<int64_t>(Limits::min());
  const int64_t most = sizeof(T) == 8 ? std::numeric_limits<int64_t>::max()
                                      : static_cast<int64_t>(Limits::max());
  const int64_t first = std::clamp(clip(std::ceil(lo)), least, most);
  const int64_t last = std::clamp(clip(std::floor(hi)), least, most);
  CHECK_LE(first, last) << "no integer between " << lo << " and " << hi;
  FillWith<T>(array,
              [&] { return static_cast<T>(rng.UniformInt(first, last)); });
}

}  // namespace

uint64_t Rng::NextU64() {
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int64_t Rng::UniformInt(int64_t lo, int64_t hi) {
  CHECK_LE(lo, hi);
  const uint64_t span =
      static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo) + 1;
  if (span == 0) return static_cast<int64_t>(NextU64());
  // Reject draws below 2^64 mod span to avoid modulo bias.
  const uint64_t excess = (0 - span) % span;
  uint64_t draw = NextU64();
  while (draw < excess) draw = NextU64();
  return static_cast<int64_t>(static_cast<uint64_t>(lo) + draw % span);
}

float Rng::UniformFloat(float lo, float hi) {
  CHECK(std::isfinite(hi - lo) && lo <= hi) << lo << " to " << hi;
  const int32_t numerator = static_cast<int32_t>(NextU64() >> 40);
  return Affine(lo, hi - lo, numerator, 24);
}

float Rng::NormalFloat(float mean, float stddev) {
  int32_t sum = 0;
  for (int i = 0; i < 3; ++i) {
    const uint64_t bits = NextU64();
    for (int lane = 0; lane < 4; ++lane) {
      sum += static_cast<int32_t>(bits >> (16 * lane) & 0xffff);
    }
  }
  // A 16-bit uniform variate has mean 65535 / 2 and variance (2^32 - 1) / 12,
  // so the sum of twelve has mean 6 * 65535 and standard deviation of about
  // 2^16.
  return Affine(mean, stddev, sum - 6 * 65535, 16);
}

void Rng::FillUniform(NDArray& array, float lo, float hi) {
  const DType dtype = array.dtype();
  if (dtype.is_float()) {
    return FillFloats(array, [&] { return UniformFloat(lo, hi); });
  }
  if (dtype.is_bool()) {
    return FillWith<uint8_t>(
        array, [&] { return static_cast<uint8_t>(NextU64() >> 63); });
  }
  const bool is_signed = dtype.is_int();
  switch (dtype.bits()) {
    case 8:
      return is_signed ? FillIntegers<int8_t>(*this, array, lo, hi)
                       : FillIntegers<uint8_t>(*this, array, lo, hi);
    case 16:
      return is_signed ? FillIntegers<int16_t>(*this, array, lo, hi)
                       : FillIntegers<uint16_t>(*this, array, lo, hi);
    case 32:
      return is_signed ? FillIntegers<int32_t>(*this, array, lo, hi)
                       : FillIntegers<uint32_t>(*this, array, lo, hi);
    default:
      return is_signed ? FillIntegers<int64_t>(*this, array, lo, hi)
                       : FillIntegers<uint64_t>(*this, array, lo, hi);
  }
}

void Rng::FillNormal(NDArray& array, float mean, float stddev) {
  FillFloats(array, [&] { return NormalFloat(mean, stddev); });
}

// Hashes the name with FNV-1a and mixes the bits with one generator step.
uint64_t SeedFor(uint64_t seed, absl::string_view name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : name) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
  }
  return Rng(seed ^ hash).NextU64();
}

}  // namespace assay
