#include "compiler/expr/numeric.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace assay::expr {
namespace {

TEST(WrapIntTest, KeepsTheLowBits) {
  EXPECT_EQ(WrapInt(DType::Int(8), 130), -126);
  EXPECT_EQ(WrapInt(DType::UInt(8), -1), 255);
  EXPECT_EQ(WrapInt(DType::Int32(), int64_t{1} << 31), -(int64_t{1} << 31));
  EXPECT_EQ(WrapInt(DType::Bool(), 2), 1);
}

TEST(FloorDivTest, RoundsTowardsMinusInfinity) {
  for (int a = -7; a <= 7; ++a) {
    for (int b : {-3, -2, 2, 3}) {
      EXPECT_EQ(FloorDiv(a, b), std::floor(static_cast<double>(a) / b));
      EXPECT_EQ(FloorDiv(a, b) * b + FloorMod(a, b), a);
    }
  }
}

TEST(FloorDivTest, LowestNumberDividedByMinusOneWrapsAround) {
  const int64_t lowest = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(FloorDiv(lowest, -1), lowest);
  EXPECT_EQ(FloorMod(lowest, -1), 0);
  EXPECT_EQ(FloorDiv(7, -1), -7);
}

TEST(RoundFloatTest, RoundsToNearestEven) {
  EXPECT_EQ(RoundFloat(DType::Float32(), 0.1), 0.1f);
  EXPECT_EQ(RoundFloat(DType::Float16(), 2049), 2048);
  EXPECT_EQ(RoundFloat(DType::Float16(), 2051), 2052);
  EXPECT_TRUE(std::isinf(RoundFloat(DType::Float16(), 65520)));
  EXPECT_EQ(RoundFloat(DType::BFloat16(), 257), 256);
  // The smallest subnormal, and half of it.
  EXPECT_EQ(RoundFloat(DType::Float16(), std::ldexp(1, -24)),
            std::ldexp(1, -24));
  EXPECT_EQ(RoundFloat(DType::Float16(), std::ldexp(1, -25)), 0);
}

TEST(FloatBitsTest, EveryHalfRoundTrips) {
  for (DType type : {DType::Float16(), DType::BFloat16()}) {
    for (uint64_t bits = 0; bits < 65536; ++bits) {
      const double value = BitsToFloat(type, bits);
      if (std::isnan(value)) continue;
      ASSERT_EQ(FloatToBits(type, value), bits) << type;
      ASSERT_EQ(RoundFloat(type, value), value) << type;
    }
  }
  EXPECT_EQ(BitsToFloat(DType::Float16(), 0x3c00), 1);
  EXPECT_EQ(BitsToFloat(DType::BFloat16(), 0x3f80), 1);
  EXPECT_EQ(FloatToBits(DType::Float32(), 1), 0x3f800000u);
}

}  // namespace
}  // namespace assay::expr
