#include "runtime/text/duration.h"

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

TEST(DurationTest, HasFourSignificantDigits) {
  EXPECT_EQ(FormatDuration(1.5), "1.500 s");
  EXPECT_EQ(FormatDuration(12.3456), "12.35 s");
  EXPECT_EQ(FormatDuration(123456), "123456 s");
  EXPECT_EQ(FormatDuration(8.1234e-4), "812.3 µs");
  EXPECT_EQ(FormatDuration(9.25e-6), "9.250 µs");
  EXPECT_EQ(FormatDuration(0.0123), "12.30 ms");
  EXPECT_EQ(FormatDuration(42e-9), "42.00 ns");
}

TEST(DurationTest, TinyTimesHaveTheSmallestUnit) {
  EXPECT_EQ(FormatDuration(0), "0.000 ns");
  EXPECT_EQ(FormatDuration(2.5e-10), "0.250 ns");
}

TEST(DurationTest, RoundsBeforeTheUnitIsChosen) {
  EXPECT_EQ(FormatDuration(0.99994), "999.9 ms");
  EXPECT_EQ(FormatDuration(0.99996), "1.000 s");
  EXPECT_EQ(FormatDuration(9.9996e-3), "10.00 ms");
  EXPECT_EQ(FormatDuration(99.996e-3), "100.0 ms");
  EXPECT_EQ(FormatDuration(999.96), "1000 s");
}

TEST(HumanSecondsTest, HasFewDigits) {
  EXPECT_EQ(HumanSeconds(0.2), "1 s");
  EXPECT_EQ(HumanSeconds(119), "119 s");
  EXPECT_EQ(HumanSeconds(240), "4 min");
  EXPECT_EQ(HumanSeconds(3 * 3600), "3.0 h");
}

}  // namespace
}  // namespace assay::runtime
