#include "runtime/base/round_to_odd.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace assay {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(RoundToOddTest, DoubleToFloat) {
  const struct {
    double value;
    float expected;
  } cases[] = {
      {0, 0},
      {1.5, 1.5f},
      {kInf, std::numeric_limits<float>::infinity()},
      // Between two floats, the odd one is returned.
      {1 + 0x1p-24, 1 + 0x1p-23f},
      {1 + 0x1p-40, 1 + 0x1p-23f},
      {1 + 0x1.8p-23, 1 + 0x1p-23f},
      {-1 - 0x1p-40, -1 - 0x1p-23f},
      // A finite number stays finite, and a nonzero number nonzero.
      {1e300, std::numeric_limits<float>::max()},
      {-1e300, std::numeric_limits<float>::lowest()},
      {1e-300, std::numeric_limits<float>::denorm_min()},
  };
  for (const auto& c : cases) EXPECT_EQ(RoundToOdd(c.value), c.expected);
  EXPECT_TRUE(std::signbit(RoundToOdd(-1e-300)));
  EXPECT_TRUE(std::isnan(RoundToOdd(std::nan(""))));
}

TEST(RoundToOddTest, IntegerToDouble) {
  const uint64_t exact = uint64_t{1} << 53;
  EXPECT_EQ(RoundToOdd(exact - 1), 0x1p53 - 1);
  EXPECT_EQ(RoundToOdd(exact << 10), 0x1p63);
  EXPECT_EQ(RoundToOdd(int64_t{-5}), -5);
  EXPECT_EQ(RoundToOdd(std::numeric_limits<int64_t>::min()), -0x1p63);
  EXPECT_EQ(RoundToOdd(std::numeric_limits<uint64_t>::max()), 0x1p64 - 0x1p11);
}

// The nearest double of these integers is halfway between two floats.
TEST(RoundToOddTest, SecondRoundingIsExact) {
  const uint64_t above = (uint64_t{1} << 62) + (uint64_t{1} << 38) + 1;
  EXPECT_EQ(static_cast<float>(RoundToOdd(above)), static_cast<float>(above));
  EXPECT_NE(static_cast<float>(static_cast<double>(above)),
            static_cast<float>(above));
  const int64_t below = -static_cast<int64_t>(above);
  EXPECT_EQ(static_cast<float>(RoundToOdd(below)), static_cast<float>(below));
}

}  // namespace
}  // namespace assay
