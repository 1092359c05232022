#include "runtime/base/random.h"

#include <cmath>
#include <cstring>
#include <set>

#include "gtest/gtest.h"
#include "runtime/base/half.h"

namespace assay {
namespace {

// The first outputs of the authors' reference implementation of SplitMix64 for
// seed 1234567.
TEST(RngTest, MatchesReferenceSplitMix64) {
  Rng rng(1234567);
  EXPECT_EQ(rng.NextU64(), 6457827717110365317u);
  EXPECT_EQ(rng.NextU64(), 3203168211198807973u);
  EXPECT_EQ(rng.NextU64(), 9817491932198370423u);
}

uint32_t Bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// The expected hashes were computed with exact rational arithmetic and correct
// rounding.
TEST(RngTest, FloatsAreBitIdenticalOnAllPlatforms) {
  Rng rng(7);
  uint32_t uniform = 0, normal = 0;
  for (int i = 0; i < 1000; ++i) {
    uniform = uniform * 31 + Bits(rng.UniformFloat(-0.7f, 1.3f));
    normal = normal * 31 + Bits(rng.NormalFloat(0.1f, 0.3f));
  }
  EXPECT_EQ(uniform, 0x3b32948du);
  EXPECT_EQ(normal, 0x6eb5ea0au);
}

TEST(RngTest, UniformFloatIsUniformWithinItsBounds) {
  Rng rng(1);
  int buckets[10] = {};
  for (int i = 0; i < 100000; ++i) {
    const float v = rng.UniformFloat(2.0f, 3.0f);
    ASSERT_GE(v, 2.0f);
    ASSERT_LE(v, 3.0f);
    ++buckets[std::min(9, static_cast<int>((v - 2.0f) * 10))];
  }
  for (int count : buckets) EXPECT_NEAR(count, 10000, 500);
}

TEST(RngTest, NormalFloatHasExpectedMoments) {
  Rng rng(2);
  constexpr int kCount = 100000;
  double sum = 0, squares = 0;
  int within = 0;
  for (int i = 0; i < kCount; ++i) {
    const double v = rng.NormalFloat(5.0f, 2.0f);
    sum += v;
    squares += (v - 5) * (v - 5);
    within += std::fabs(v - 5) < 2;
  }
  EXPECT_NEAR(sum / kCount, 5.0, 0.03);
  EXPECT_NEAR(std::sqrt(squares / kCount), 2.0, 0.03);
  EXPECT_NEAR(within, 0.6827 * kCount, 1000);
}

TEST(RngTest, UniformIntCoversTheInclusiveRange) {
  Rng rng(3);
  std::set<int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(rng.UniformInt(-2, 2));
  EXPECT_EQ(seen, (std::set<int64_t>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(rng.UniformInt(9, 9), 9);
  rng.UniformInt(INT64_MIN, INT64_MAX);
}

TEST(RngTest, FillsEveryTypeReproducibly) {
  for (const char* name :
       {"float16", "bfloat16", "float32", "float64", "int8", "int16", "int32",
        "int64", "uint8", "uint16", "uint32", "uint64", "bool"}) {
    NDArray a(*DType::Parse(name), {64}), b(*DType::Parse(name), {64});
    Rng(5).FillUniform(a, -1000.0f, 1000.0f);
    Rng(5).FillUniform(b, -1000.0f, 1000.0f);
    EXPECT_TRUE(BitwiseEqual(a, b)) << name;
    EXPECT_FALSE(BitwiseEqual(a, NDArray(a.dtype(), {64}))) << name;
  }
  NDArray small(DType::Int(8), {1000});
  Rng(5).FillUniform(small, -1000.0f, 1e30f);
  std::set<int8_t> seen(small.data<int8_t>().begin(),
                        small.data<int8_t>().end());
  EXPECT_GT(seen.size(), 200u);
  NDArray flags(DType::Bool(), {100});
  Rng(5).FillUniform(flags, 0, 1);
  for (uint8_t v : flags.data<uint8_t>()) EXPECT_LE(v, 1);
}

TEST(RngTest, Float16FillsAreRoundedFloat32Fills) {
  NDArray wide(DType::Float32(), {100}), narrow(DType::Float16(), {100});
  Rng(6).FillNormal(wide, 0, 1);
  Rng(6).FillNormal(narrow, 0, 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(static_cast<const uint16_t*>(narrow.raw())[i],
              FloatToHalf(wide.data<float>()[i]));
  }
}

TEST(SeedForTest, DependsOnSeedAndName) {
  EXPECT_NE(SeedFor(1, "a"), SeedFor(1, "b"));
  EXPECT_NE(SeedFor(1, "a"), SeedFor(2, "a"));
  EXPECT_EQ(SeedFor(1, "a"), SeedFor(1, "a"));
}

}  // namespace
}  // namespace assay
