#include "runtime/base/half.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "gtest/gtest.h"

namespace assay {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(HalfTest, AllValuesRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint16_t b = static_cast<uint16_t>(bits);
    const float half = HalfToFloat(b);
    if (std::isnan(half)) {
      EXPECT_TRUE(std::isnan(HalfToFloat(FloatToHalf(half))));
    } else {
      ASSERT_EQ(FloatToHalf(half), b);
    }
    const float brain = BFloat16ToFloat(b);
    if (std::isnan(brain)) {
      EXPECT_TRUE(std::isnan(BFloat16ToFloat(FloatToBFloat16(brain))));
    } else {
      ASSERT_EQ(FloatToBFloat16(brain), b);
    }
  }
}

TEST(HalfTest, ConvertsKnownValues) {
  EXPECT_EQ(HalfToFloat(0x3c00), 1.0f);
  EXPECT_EQ(HalfToFloat(0xc000), -2.0f);
  EXPECT_EQ(HalfToFloat(0x7bff), 65504.0f);
  EXPECT_EQ(HalfToFloat(0x0001), 0x1p-24f);
  EXPECT_EQ(HalfToFloat(0xfc00), -kInf);
  EXPECT_EQ(BFloat16ToFloat(0x3f80), 1.0f);
  EXPECT_EQ(FloatToHalf(65519.0f), 0x7bff);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(FloatToHalf(1e9f), 0x7c00);
  EXPECT_EQ(FloatToHalf(-kInf), 0xfc00);
  EXPECT_EQ(FloatToBFloat16(std::numeric_limits<float>::max()), 0x7f80);
}

// For adjacent float16 values a and b, values below their midpoint round to a,
// values above it to b, and the midpoint itself to the even one.
TEST(HalfTest, RoundsToNearestEven) {
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const uint16_t a = static_cast<uint16_t>(bits);
    const uint16_t b = static_cast<uint16_t>(bits + 1);
    const float middle = (HalfToFloat(a) + HalfToFloat(b)) / 2;
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, 0.0f)), a);
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, kInf)), b);
    ASSERT_EQ(FloatToHalf(middle), a % 2 == 0 ? a : b);
    ASSERT_EQ(FloatToHalf(-middle), (a % 2 == 0 ? a : b) | 0x8000);
  }
  EXPECT_EQ(FloatToBFloat16(1.0f + 0x1p-8f), 0x3f80);
  EXPECT_EQ(FloatToBFloat16(1.0f + 0x1p-8f + 0x1p-20f), 0x3f81);
  EXPECT_EQ(FloatToBFloat16(1.0f + 3 * 0x1p-8f), 0x3f82);
  EXPECT_EQ(FloatToHalf(0x1p-26f), 0);
}

// Rounding these numbers to float32 first gives a number that is halfway
// between two numbers of 16 bits.
TEST(HalfTest, RoundsDoublesOnce) {
  EXPECT_EQ(DoubleToHalf(1 + 0x1p-11 + 0x1p-40), 0x3c01);
  EXPECT_EQ(DoubleToHalf(1 + 3 * 0x1p-11 - 0x1p-40), 0x3c01);
  EXPECT_EQ(DoubleToHalf(-1 - 0x1p-11 - 0x1p-40), 0xbc01);
  EXPECT_EQ(DoubleToHalf(65520 - 0x1p-30), 0x7bff);
  EXPECT_EQ(DoubleToHalf(1e300), 0x7c00);
  EXPECT_EQ(DoubleToHalf(0x1p-25 + 0x1p-60), 0x0001);
  EXPECT_EQ(DoubleToBFloat16(1 + 0x1p-8 + 0x1p-40), 0x3f81);
  EXPECT_EQ(DoubleToBFloat16(1 + 3 * 0x1p-8 - 0x1p-40), 0x3f81);
}

}  // namespace
}  // namespace assay
