#include "rpc/server/health/canary.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

namespace assay::rpc {
namespace {

constexpr int kMinRepetitions = 5;
constexpr int64_t kMinNanos = 100'000'000;

// Multipliers of integer hash functions: large odd numbers.
constexpr uint32_t kMultiplier = 0x2c1b3c6d;
constexpr uint32_t kIncrement = 0x9e3779b9;

// Each of these is a chain of about 0.3 ms on a processor with 3 GHz.

uint32_t IntegerChain(uint32_t seed) {
  constexpr int kSteps = 200'000;
  uint32_t hash = seed;
  for (int i = 0; i < kSteps; ++i) {
    hash ^= hash >> 15;
    hash = hash * kMultiplier + kIncrement;
  }
  return hash;
}

// Returns a number in [1, 2) that is a multiple of 2^-23. The conversion, the
// product and the sum are exact.
float ExactFloat(uint32_t hash) {
  return 1.0f + static_cast<float>(hash >> 9) * 0x1p-23f;
}

uint32_t FloatChain(uint32_t seed) {
  constexpr int kRounds = 12'500;
  std::array<float, 16> terms;
  for (float& term : terms) {
    seed = seed * kMultiplier + kIncrement;
    term = ExactFloat(seed);
  }
  // The sum stays in [1, 4), so the product by 0.5 is exact, and only the
  // addition rounds.
  float sum = 1;
  uint32_t hash = 0;
  for (size_t round = 0; round < kRounds; ++round) {
    for (const float term : terms) sum = sum * 0.5f + term;
    uint32_t bits;
    static_assert(sizeof(bits) == sizeof(sum));
    memcpy(&bits, &sum, sizeof(bits));
    hash = (hash ^ bits) * kMultiplier + kIncrement;
    terms[round % terms.size()] = ExactFloat(hash);
  }
  return hash;
}

// Fills memory, changes it in place, and adds it up.
uint32_t MemoryPasses(uint32_t seed) {
  constexpr size_t kWords = (256 << 10) / sizeof(uint32_t);
  std::vector<uint32_t> words(kWords);
  uint32_t index = 0;
  for (uint32_t& word : words) word = seed + kIncrement * index++;
  for (uint32_t& word : words) word = (word ^ (word >> 13)) * kMultiplier;
  uint32_t sum = 0;
  for (const uint32_t word : words) sum += word;
  return sum;
}

}  // namespace

uint32_t CanaryWork() {
  // The compiler does not know the seed and cannot compute the result.
  static const volatile uint32_t kSeed = 20240501;
  const uint32_t seed = kSeed;
  uint32_t answer = IntegerChain(seed);
  answer = answer * kMultiplier ^ FloatChain(seed);
  answer = answer * kMultiplier ^ MemoryPasses(seed);
  return answer;
}

CanaryResult RunCanary(Clock* clock, const std::function<uint32_t()>& work) {
  CanaryResult result;
  result.nanos = std::numeric_limits<int64_t>::max();
  result.right = true;
  const int64_t start = clock->NowNanos();
  int64_t now = start;
  for (int i = 0; i < kMinRepetitions || now - start < kMinNanos; ++i) {
    const int64_t before = clock->NowNanos();
    const uint32_t answer = work();
    now = clock->NowNanos();
    result.nanos = std::min(result.nanos, now - before);
    if (answer != kCanaryAnswer) result.right = false;
  }
  return result;
}

}  // namespace assay::rpc
